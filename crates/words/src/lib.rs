//! Enums that a text spells as one word each.
//!
//! A contract, the kernel's protocol and a report all choose from short lists of fixed words: an effect, an error
//! code, a class of change. Each list is declared once, with [`words!`], and is an enum from there on.
//!
//! ```
//! agent_surface_words::words! {
//!     /// Which way a door is.
//!     pub enum Door {
//!         /// Anybody may pass.
//!         Open = "open",
//!         /// Nobody may.
//!         Shut = "shut",
//!     }
//! }
//!
//! assert_eq!(Door::Shut.as_str(), "shut");
//! assert_eq!(Door::from_word("open"), Some(Door::Open));
//! assert_eq!(Door::from_word("Open"), None);
//! assert_eq!(Door::WORDS, ["open", "shut"]);
//! assert_eq!(format!("{:>5}", Door::Open), " open");
//! ```

/// An enum of fixed words, for what reads or lists any of them.
pub trait Word: Copy + 'static {
    /// Every variant, in the order of declaration; there is at least one.
    const ALL: &'static [Self];

    /// The words of [`Self::ALL`], in that order: what an error says is allowed.
    const WORDS: &'static [&'static str];

    /// The variant that `word` spells, if one does.
    fn from_word(word: &str) -> Option<Self>;
}

/// Declares an enum whose variants are spelled by fixed words, with the list of all of them and both directions of
/// the spelling.
#[macro_export]
macro_rules! words {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $Name:ident { $( $(#[$variant_meta:meta])* $Variant:ident = $word:literal, )+ }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $Name { $( $(#[$variant_meta])* $Variant, )+ }

        impl $Name {
            /// Every variant, in the order of declaration.
            pub const ALL: &'static [Self] = &[ $( Self::$Variant, )+ ];

            /// The words of [`Self::ALL`], in that order: what an error says is allowed.
            pub const WORDS: &'static [&'static str] = &[ $( $word, )+ ];

            /// The word that it is spelled with.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$Variant => $word, )+ }
            }

            /// The variant that `word` spells, if one does.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $( $word => Some(Self::$Variant), )+ _ => None }
            }
        }

        impl $crate::Word for $Name {
            const ALL: &'static [Self] = Self::ALL;
            const WORDS: &'static [&'static str] = Self::WORDS;

            fn from_word(word: &str) -> Option<Self> {
                Self::from_word(word)
            }
        }

        impl ::std::fmt::Display for $Name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}
