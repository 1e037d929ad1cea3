//! The command for clusters, run by `mpirun` on this machine. `scripts/check-cluster` runs these tests in release: tables of up to eight
//! tiles are built.

mod building;
mod jobs;
mod killing;
mod planning;
mod refusing;
mod searching;
mod tables;
