# Builds Memora from the source beside it: nix run 'github:memora-notes/memora?dir=packaging/nix'
{
  description = "Verifiable memory for an Obsidian vault";

  # Memora needs Rust 1.92.
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      source = ../..;
      manifest = builtins.fromTOML (builtins.readFile (source + "/Cargo.toml"));
    in
    {
      packages = nixpkgs.lib.genAttrs systems (
        system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
        in
        {
          default = pkgs.rustPlatform.buildRustPackage {
            pname = "memora-notes";
            version = manifest.workspace.package.version;
            src = source;
            cargoLock.lockFile = source + "/Cargo.lock";
            cargoBuildFlags = [ "--package=memora" "--bin=memora" ];
            # They are run before a release, and need a terminal and Python.
            doCheck = false;
            nativeBuildInputs = [ pkgs.installShellFiles ];
            postInstall = ''
              export HOME=$TMPDIR
              $out/bin/memora man --out "$TMPDIR/man"
              installManPage "$TMPDIR"/man/*
              installShellCompletion --cmd memora \
                --bash <($out/bin/memora completions bash) \
                --fish <($out/bin/memora completions fish) \
                --zsh <($out/bin/memora completions zsh)
            '';
            meta = {
              description = "Verifiable memory for an Obsidian vault: cite it or it didn't happen";
              homepage = "https://github.com/memora-notes/memora";
              mainProgram = "memora";
            };
          };
        }
      );
    };
}
