//! Dates and times of RFC 3339, on the calendar: no 30 February, and a leap second only where UTC has one.

/// `full-date`: a day that the calendar has.
pub(super) fn is_date(text: &str) -> bool {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text.as_bytes() else { return false };
    let (Some(century), Some(year), Some(month), Some(day)) =
        (two(*y1, *y2), two(*y3, *y4), two(*m1, *m2), two(*d1, *d2))
    else {
        return false;
    };
    (1..=days(century * 100 + year, month)).contains(&day)
}

/// `date-time`: a date, `T`, a time and the offset from UTC.
pub(super) fn is_date_time(text: &str) -> bool {
    // A date takes ten bytes, always.
    let Some((date, time)) = text.split_at_checked(10) else { return false };
    let [b'T' | b't', time @ ..] = time.as_bytes() else { return false };
    is_date(date) && is_full_time(time)
}

/// `full-time`: `hh:mm:ss`, any fraction, and `Z` or `±hh:mm`.
fn is_full_time(text: &[u8]) -> bool {
    let [h1, h2, b':', m1, m2, b':', s1, s2, rest @ ..] = text else { return false };
    let (Some(hour @ 0..=23), Some(minute @ 0..=59), Some(second @ 0..=60)) =
        (two(*h1, *h2), two(*m1, *m2), two(*s1, *s2))
    else {
        return false;
    };
    let Some(offset) = skip_fraction(rest).and_then(offset_minutes) else { return false };
    // RFC 3339, 5.7: a leap second is the last of a day in UTC, whatever the clock on the wall shows.
    second < 60 || (hour * 60 + minute - offset).rem_euclid(24 * 60) == 23 * 60 + 59
}

/// What follows a fraction of a second, or follows at once where there is none.
fn skip_fraction(text: &[u8]) -> Option<&[u8]> {
    let [b'.', rest @ ..] = text else { return Some(text) };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { None } else { rest.get(digits..) }
}

/// How far the wall clock is ahead of UTC.
fn offset_minutes(text: &[u8]) -> Option<i32> {
    match text {
        [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => match (two(*h1, *h2)?, two(*m1, *m2)?) {
            (hours @ 0..=23, minutes @ 0..=59) => {
                let offset = hours * 60 + minutes;
                Some(if *sign == b'-' { -offset } else { offset })
            }
            _ => None,
        },
        _ => None,
    }
}

fn two(tens: u8, ones: u8) -> Option<i32> {
    let both = tens.is_ascii_digit() && ones.is_ascii_digit();
    both.then(|| i32::from(tens - b'0') * 10 + i32::from(ones - b'0'))
}

/// How many days a month of the Gregorian calendar has; none where there is no such month.
fn days(year: i32, month: i32) -> i32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_date, is_date_time};

    #[test]
    fn february_is_as_long_as_its_year_has_it() {
        assert!(is_date("2024-02-29"));
        assert!(is_date("2000-02-29"));
        assert!(!is_date("1900-02-29"));
        assert!(!is_date("2023-02-29"));
        assert!(!is_date("2024-00-10"));
        assert!(!is_date("2024-01-00"));
    }

    #[test]
    fn only_ascii_digits_count() {
        assert!(!is_date("২024-01-01"));
        assert!(!is_date("+024-01-01"));
        assert!(!is_date_time("2024-01-01T0৪:00:00Z"));
    }

    #[test]
    fn a_leap_second_ends_a_day_in_utc() {
        assert!(is_date_time("1998-12-31T23:59:60Z"));
        assert!(is_date_time("1998-12-31T15:59:60.123-08:00"));
        assert!(is_date_time("1999-01-01T00:59:60+01:00"));
        assert!(!is_date_time("1998-12-31T22:59:60Z"));
        assert!(!is_date_time("1998-12-31T23:59:60+01:00"));
        assert!(!is_date_time("1998-12-31T23:59:61Z"));
    }

    #[test]
    fn an_offset_is_required_and_whole() {
        assert!(is_date_time("1985-04-12t23:20:50.52z"));
        assert!(is_date_time("1985-04-12T23:20:50-00:00"));
        assert!(!is_date_time("1985-04-12T23:20:50"));
        assert!(!is_date_time("1985-04-12T23:20:50+01"));
        assert!(!is_date_time("1985-04-12T23:20:50.Z"));
        assert!(!is_date_time("1985-04-12T23:20:50+24:00"));
        assert!(!is_date_time("1985-04-12 23:20:50Z"));
    }
}
