const all = new Map<string, Set<string>>()

/** A memory in another module, by its name. */
export function rememberedIn(name: string): Set<string> {
  const memory = all.get(name) ?? new Set<string>()
  all.set(name, memory)
  return memory
}
