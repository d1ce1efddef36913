import type { JsonObject } from 'setpoint/schema'

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }[]
}

/** A selector object (or a plain map of labels) as text for `labelSelector`. */
export function labelSelectorText(selector: JsonObject): string {
  const isPlain = !('matchLabels' in selector) && !('matchExpressions' in selector)
  const { matchLabels, matchExpressions } = (isPlain
    ? { matchLabels: selector }
    : selector) as unknown as LabelSelector
  const terms = Object.entries(matchLabels ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }))
  for (const { key, operator, values = [] } of matchExpressions ?? []) {
    const list = `(${[...values].sort().join(',')})`
    const texts: Readonly<Record<string, string>> = {
      In: `${key} in ${list}`,
      NotIn: `${key} notin ${list}`,
      Exists: key,
      DoesNotExist: `!${key}`,
    }
    terms.push({ key, text: texts[operator] ?? '' })
  }
  return terms
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',')
}
