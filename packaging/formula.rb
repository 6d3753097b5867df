# Loads a formula as Homebrew does, for each system that it knows, and prints the archive and its sum.
class Formula
  SYSTEMS = [%i[macos arm], %i[macos intel], %i[linux arm], %i[linux intel]].freeze
  class << self
    def on_macos = (yield if system == :macos)
    def on_linux = (yield if system == :linux)
    def on_arm = (yield if processor == :arm)
    def on_intel = (yield if processor == :intel)
    def url(text) = print("#{text.split('/').last} ")
    def sha256(text) = puts(text)
    %i[desc homepage version license test].each { |name| define_method(name) { |*| nil } }
  end
end

Formula::SYSTEMS.each do |system, processor|
  Object.send(:remove_const, :MemoraNotes) if Object.const_defined?(:MemoraNotes)
  # A subclass has its parent's methods, not its fields.
  Formula.define_singleton_method(:system) { system }
  Formula.define_singleton_method(:processor) { processor }
  load ARGV[0]
end
