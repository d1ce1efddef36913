import { goJson, type JsonValue } from 'setpoint/schema'

/**
 * Removes repeated scalars as a server does: the last item fills each gap. The result is that of
 * comparing each item with each, but positions are looked up by the item's text.
 */
export function distinct(items: JsonValue[]): JsonValue[] {
  const texts = items.map(goJson)
  const positions = new Map<string, number[]>()
  for (const [index, text] of texts.entries()) addTo(positions, text, index)
  for (let first = 0; first < items.length; first += 1) {
    const text = texts[first] ?? ''
    const known = positions.get(text) ?? []
    // A list of positions has old ones, too: of items that were moved or removed.
    const later = [...new Set(known)]
      .filter((place) => place > first && texts[place] === text)
      .sort((a, b) => a - b)
    positions.delete(text)
    for (let next = 0; next < later.length;) {
      const gap = later[next] ?? 0
      if (gap >= items.length) break
      const last = items.pop() ?? null
      const lastText = texts.pop() ?? ''
      if (gap === items.length) break
      items[gap] = last
      texts[gap] = lastText
      if (lastText === text) continue
      addTo(positions, lastText, gap)
      next += 1
    }
  }
  return items
}

function addTo(positions: Map<string, number[]>, text: string, place: number): void {
  const known = positions.get(text)
  if (known === undefined) positions.set(text, [place])
  else known.push(place)
}
