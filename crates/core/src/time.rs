//! Moments. The kernel has no clock: whoever calls it says what time it is.

use crate::text::decimal;

/// The last moment that ECMAScript's `Date` knows.
const LAST: u64 = 8_640_000_000_000_000;

const MILLIS_PER_DAY: u64 = 86_400_000;

/// A moment: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(u64);

impl Time {
    /// The moment `millis` milliseconds after the epoch; what lies beyond the range of a `Date` is its last moment.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(if millis > LAST { LAST } else { millis })
    }

    /// Milliseconds since the epoch.
    #[must_use]
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// The moment `millis` milliseconds later.
    #[must_use]
    pub const fn after(self, millis: u32) -> Self {
        Self::from_millis(self.0.saturating_add(millis as u64))
    }

    /// The milliseconds from `earlier` to here; none where the clock was set back in between.
    #[must_use]
    pub const fn millis_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// ISO 8601 as `Date.prototype.toISOString` prints it.
    #[must_use]
    pub fn to_iso8601(self) -> String {
        let (year, month, day) = civil(self.0 / MILLIS_PER_DAY);
        let of_day = self.0 % MILLIS_PER_DAY;
        let mut text = String::with_capacity(27);
        if year > 9999 {
            text.push('+');
            push_digits(year, 6, &mut text);
        } else {
            push_digits(year, 4, &mut text);
        }
        for (separator, value, width) in [
            ('-', month, 2),
            ('-', day, 2),
            ('T', of_day / 3_600_000, 2),
            (':', of_day / 60_000 % 60, 2),
            (':', of_day / 1000 % 60, 2),
            ('.', of_day % 1000, 3),
        ] {
            text.push(separator);
            push_digits(value, width, &mut text);
        }
        text.push('Z');
        text
    }
}

/// Year, month and day of a day since the epoch, by the proleptic Gregorian calendar.
///
/// The year is taken to begin in March, so that the leap day is the last one of it; eras of 400 years repeat.
const fn civil(days: u64) -> (u64, u64, u64) {
    const DAYS_FROM_MARCH_OF_YEAR_ZERO: u64 = 719_468;
    const DAYS_PER_ERA: u64 = 146_097;
    let days = days + DAYS_FROM_MARCH_OF_YEAR_ZERO;
    let (era, day_of_era) = (days / DAYS_PER_ERA, days % DAYS_PER_ERA);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / (DAYS_PER_ERA - 1)) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

fn push_digits(value: u64, width: usize, out: &mut String) {
    let digits = decimal(value);
    for _ in digits.len()..width {
        out.push('0');
    }
    out.push_str(&digits);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_prints_as_ecmascript_prints_it() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_799_999, "2000-02-29T23:59:59.999Z"),
            (1_709_164_800_123, "2024-02-29T00:00:00.123Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
            (LAST, "+275760-09-13T00:00:00.000Z"),
            (u64::MAX, "+275760-09-13T00:00:00.000Z"),
        ] {
            assert_eq!(Time::from_millis(millis).to_iso8601(), text);
        }
    }

    #[test]
    fn a_clock_set_back_makes_no_negative_span() {
        let (earlier, later) = (Time::from_millis(5), Time::from_millis(9));
        assert_eq!(later.millis_since(earlier), 4);
        assert_eq!(earlier.millis_since(later), 0);
    }
}
