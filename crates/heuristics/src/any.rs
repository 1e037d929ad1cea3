//! Heuristics whose types are known only while the program runs.

/// Makes an enum of heuristics a [`Heuristic`](crate::Heuristic) that asks at every step which one it is, with the enums of
/// their nodes and their steps.
#[macro_export]
macro_rules! any_heuristic {
    (
        $(#[$about:meta])*
        $vis:vis enum $any:ident, $node:ident, $step:ident $([$slots:ident])? { $($variant:ident($heuristic:ty),)+ }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        #[allow(missing_docs, clippy::large_enum_variant, reason = "variants are the types they name, and few are made")]
        $vis enum $any $(<const $slots: usize>)? {
            $($variant($heuristic),)+
        }

        /// What is known by it.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs, clippy::large_enum_variant, reason = "nodes are copied, never boxed")]
        $vis enum $node $(<const $slots: usize>)? {
            $($variant(<$heuristic as $crate::Heuristic>::Node),)+
        }

        /// What a stage of it finds out.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs, reason = "each variant is the type it names")]
        $vis enum $step $(<const $slots: usize>)? {
            $($variant(<$heuristic as $crate::Heuristic>::Step),)+
        }

        impl $(<const $slots: usize>)? $crate::Heuristic for $any $(<$slots>)? {
            type Node = $node $(<$slots>)?;
            type Step = $step $(<$slots>)?;

            const IS_FAR: bool = false $(|| <$heuristic as $crate::Heuristic>::IS_FAR)+;

            fn is_far(&self) -> bool {
                match self { $(Self::$variant(heuristic) => heuristic.is_far(),)+ }
            }

            fn is_admissible(&self) -> bool {
                match self { $(Self::$variant(heuristic) => heuristic.is_admissible(),)+ }
            }

            fn pattern_costs(&self, state: &$crate::tilebase_puzzle::State) -> Option<$crate::PatternCostsOfViews> {
                match self { $(Self::$variant(heuristic) => heuristic.pattern_costs(state),)+ }
            }

            fn root(&self, state: &$crate::tilebase_puzzle::State) -> Option<Self::Node> {
                match self { $(Self::$variant(heuristic) => heuristic.root(state).map($node::$variant),)+ }
            }

            fn cost(&self, node: &Self::Node) -> u32 {
                match (self, node) {
                    $((Self::$variant(heuristic), $node::$variant(node)) => heuristic.cost(node),)+
                    _ => panic!("{}", $crate::OTHERS),
                }
            }

            #[inline]
            fn stages(&self) -> usize {
                match self { $(Self::$variant(heuristic) => heuristic.stages(),)+ }
            }

            #[inline]
            fn begin(&self, stage: usize, node: &Self::Node, slide: $crate::tilebase_puzzle::Slide) -> Self::Step {
                match (self, node) {
                    $((Self::$variant(heuristic), $node::$variant(node)) => {
                        $step::$variant(heuristic.begin(stage, node, slide))
                    })+
                    _ => panic!("{}", $crate::OTHERS),
                }
            }

            #[inline]
            fn prefetch(&self, stage: usize, step: &Self::Step) {
                match (self, step) {
                    $((Self::$variant(heuristic), $step::$variant(step)) => heuristic.prefetch(stage, step),)+
                    _ => panic!("{}", $crate::OTHERS),
                }
            }

            #[inline]
            fn finish(&self, stage: usize, step: &mut Self::Step) -> u32 {
                match (self, step) {
                    $((Self::$variant(heuristic), $step::$variant(step)) => heuristic.finish(stage, step),)+
                    _ => panic!("{}", $crate::OTHERS),
                }
            }

            #[inline]
            fn apply(&self, stage: usize, node: &mut Self::Node, step: &Self::Step) {
                match (self, node, step) {
                    $((Self::$variant(heuristic), $node::$variant(node), $step::$variant(step)) => {
                        heuristic.apply(stage, node, step);
                    })+
                    _ => panic!("{}", $crate::OTHERS),
                }
            }
        }
    };
}

/// What such a heuristic says when it is handed another one's node.
#[doc(hidden)]
pub const OTHERS: &str = "a node or step is only handed to the heuristic that made it";
