//! What many types of all crates say in the same words: methods of builders, and names.

/// Methods of a builder that return the same value with other fields.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    ($($(#[$about:meta])* $name:ident($($given:ident: $type:ty),*) => $($field:ident: $value:expr),+;)+) => {$(
        $(#[$about])*
        #[must_use]
        pub fn $name(self, $($given: $type),*) -> Self {
            Self { $($field: $value,)+ ..self }
        }
    )+};
}

/// Shows the values of an enum by their names.
#[doc(hidden)]
#[macro_export]
macro_rules! names {
    ($type:ident: $($value:ident => $name:literal),+ $(,)?) => {
        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(match self {
                    $($type::$value => $name,)+
                })
            }
        }
    };
}
