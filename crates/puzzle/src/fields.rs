//! Methods that do nothing but read a field or replace it, for all crates above this one.

/// Methods that read a field of the same name: a copy of it, or a reference where the type is one.
#[doc(hidden)]
#[macro_export]
macro_rules! getters {
    () => {};
    ($(#[$about:meta])* $vis:vis $field:ident: &$type:ty; $($rest:tt)*) => {
        $(#[$about])*
        $vis fn $field(&self) -> &$type {
            &self.$field
        }
        $crate::getters! { $($rest)* }
    };
    ($(#[$about:meta])* $vis:vis $field:ident: $type:ty; $($rest:tt)*) => {
        $(#[$about])*
        $vis fn $field(&self) -> $type {
            self.$field
        }
        $crate::getters! { $($rest)* }
    };
}

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
