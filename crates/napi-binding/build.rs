//! Links the addon the way Node loads it.

fn main() {
    napi_build::setup();
}
