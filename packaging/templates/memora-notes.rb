# Of the tap memora-notes/tap: Formula/memora-notes.rb
class MemoraNotes < Formula
  desc "Verifiable memory for an Obsidian vault: cite it or it didn't happen"
  homepage "https://github.com/memora-notes/memora"
  version "@VERSION@"
  license all_of: [{ any_of: ["MIT", "Apache-2.0"] }, "CC-BY-SA-4.0"]

  on_macos do
    on_arm do
      url "@URL:aarch64-apple-darwin@"
      sha256 "@SHA256:aarch64-apple-darwin@"
    end
    on_intel do
      url "@URL:x86_64-apple-darwin@"
      sha256 "@SHA256:x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@URL:aarch64-unknown-linux-gnu@"
      sha256 "@SHA256:aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "@URL:x86_64-unknown-linux-gnu@"
      sha256 "@SHA256:x86_64-unknown-linux-gnu@"
    end
  end

  def install
    bin.install "memora"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/memora.bash" => "memora"
    zsh_completion.install "completions/_memora"
    fish_completion.install "completions/memora.fish"
    pkgshare.install "licences"
  end

  test do
    system bin/"memora", "demo"
  end
end
