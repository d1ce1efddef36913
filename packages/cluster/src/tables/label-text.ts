/** A label selector of an object. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly SelectorRequirement[]
}

interface SelectorRequirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}

/** `a=b,c=d`, sorted by key. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(labels ?? {})
  if (entries.length === 0) return '<none>'
  return entries
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',')
}

/** A selector as text for `kubectl get -l`; empty when it has no requirement. */
export function requirementsText(selector: LabelSelector | undefined): string {
  const labels = Object.entries(selector?.matchLabels ?? {})
  const requirements = [
    ...labels.map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...(selector?.matchExpressions ?? []).map((requirement) => ({
      key: requirement.key,
      text: requirementText(requirement),
    })),
  ]
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',')
}

/** Like `requirementsText`, with a text for a selector without requirements. */
export function selectorText(selector: LabelSelector | undefined): string {
  const text = requirementsText(selector)
  return text === '' ? '<none>' : text
}

function requirementText({ key, operator, values = [] }: SelectorRequirement): string {
  const list = [...values].sort().join(',')
  switch (operator) {
    case 'In':
      return `${key} in (${list})`
    case 'NotIn':
      return `${key} notin (${list})`
    case 'DoesNotExist':
      return `!${key}`
    default:
      return key
  }
}

/** A selector in Go's notation of a struct, which bindings of admission policies show. */
export function selectorStructText({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key] ?? ''},`)
  const requirements = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  )
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`
}
