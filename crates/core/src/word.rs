//! Enums that the protocol spells as one word each.

/// Declares an enum whose variants are spelled by fixed words, with the list of them and both directions.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident { $( $(#[$variant_meta:meta])* $Variant:ident = $word:literal, )+ }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $Name { $( $(#[$variant_meta])* $Variant, )+ }

        impl $Name {
            /// Every variant, in the order of declaration.
            pub const ALL: &'static [Self] = &[ $( Self::$Variant, )+ ];

            /// The word that the protocol spells it with.
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
    };
}

pub(crate) use words;
