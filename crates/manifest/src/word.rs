//! Enums that JSON spells as one word each.

/// Declares an enum whose variants are spelled by fixed words, with the list of all of them and both
/// directions of the spelling.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident { $( $(#[$variant_meta:meta])* $Variant:ident = $word:literal, )+ }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name { $( $(#[$variant_meta])* $Variant, )+ }

        impl $Name {
            /// Every variant, in the order of declaration.
            pub const ALL: &'static [Self] = &[ $( Self::$Variant, )+ ];

            /// The words of [`Self::ALL`], in that order: what an error says is allowed.
            pub const WORDS: &'static [&'static str] = &[ $( $word, )+ ];

            /// The word that contracts spell it with.
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

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl crate::shape::Word for $Name {
            const WORDS: &'static [&'static str] = Self::WORDS;
            const BLANK: Self = Self::ALL[0];

            fn from_word(word: &str) -> Option<Self> {
                Self::from_word(word)
            }
        }
    };
}

pub(crate) use words;
