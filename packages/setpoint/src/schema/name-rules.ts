/**
 * The naming rules of Kubernetes, each as a function from a string to the list of a server's
 * messages (empty when it is valid). The regular expressions appear in the messages, so they are
 * kept as text.
 */
import { byteLength } from './go/go-print.ts'

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const subdomain = `${label1123}(\\.${label1123})*`
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const qualifiedRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"

interface Rule {
  readonly pattern: string
  readonly text: string
  readonly examples: readonly string[]
  readonly lengthMax: number
  /** The unit in the server's message; it counts bytes in both cases. */
  readonly unit: 'bytes' | 'characters'
}

function ruleMessage(rule: Pick<Rule, 'pattern' | 'text' | 'examples'>): string {
  const examples = rule.examples.map((example) => `'${example}', `).join(' or ')
  return `${rule.text} (e.g. ${examples}regex used for validation is '${rule.pattern}')`
}

function checker(rule: Rule): (text: string) => string[] {
  const regExp = new RegExp(`^(?:${rule.pattern})$`)
  return (text) => [
    ...(byteLength(text) > rule.lengthMax
      ? [`must be no more than ${rule.lengthMax} ${rule.unit}`]
      : []),
    ...(regExp.test(text) ? [] : [ruleMessage(rule)]),
  ]
}

/** Names of objects, groups and hosts: dot-separated lower-case labels, at most 253 bytes. */
export const dnsSubdomainProblems = checker({
  pattern: subdomain,
  text: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
  lengthMax: 253,
  unit: 'bytes',
})

/** Names of versions, plurals, singulars and kinds: one label that starts with a letter. */
export const dns1035LabelProblems = checker({
  pattern: label1035,
  text: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
  lengthMax: 63,
  unit: 'characters',
})

const plainLabelProblems = checker({
  pattern: label1123,
  text: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
  lengthMax: 63,
  unit: 'bytes',
})

const subdomainRegExp = new RegExp(`^(?:${subdomain})$`)

/** Names of namespaces: one lower-case label; dots have a separate message. */
export function dnsLabelProblems(text: string): string[] {
  const problems = plainLabelProblems(text)
  if (!text.includes('.') || !subdomainRegExp.test(text)) return problems
  return [...problems.slice(0, -1), 'must not contain dots']
}

const nameExamples = ['MyName', 'my.name', '123-abc']
const qualifiedRegExp = new RegExp(`^(?:${qualified})$`)

/** Keys of labels and annotations, and finalizers: an optional domain and a name. */
export function qualifiedNameProblems(text: string): string[] {
  const rule = ruleMessage({ pattern: qualified, text: qualifiedRule, examples: nameExamples })
  const parts = text.split('/')
  if (parts.length > 2) {
    return [
      `a valid label key ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const name = parts.at(-1) ?? ''
  const problems: string[] = []
  if (parts.length === 2) problems.push(...prefixProblems(parts[0] ?? ''))
  if (name === '') problems.push('name part must be non-empty')
  else if (byteLength(name) > 63) problems.push('name part must be no more than 63 bytes')
  if (!qualifiedRegExp.test(name)) problems.push(`name part ${rule}`)
  return problems
}

function prefixProblems(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty']
  return dnsSubdomainProblems(prefix).map((problem) => `prefix part ${problem}`)
}

/** Values of labels. */
export const labelValueProblems = checker({
  pattern: `(${qualified})?`,
  text: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
  lengthMax: 63,
  unit: 'bytes',
})

/** Names inside embedded objects: anything that is valid between two slashes of a URL. */
export function pathSegmentProblems(text: string, isPrefix = false): string[] {
  if (!isPrefix && (text === '.' || text === '..')) return [`may not be '${text}'`]
  return ['/', '%'].filter((part) => text.includes(part)).map((part) => `may not contain '${part}'`)
}

/** The naming rules together, for layers that check names themselves (the embedded server). */
export const nameProblems = {
  dnsSubdomain: dnsSubdomainProblems,
  dnsLabel: dnsLabelProblems,
  dns1035Label: dns1035LabelProblems,
  qualifiedName: qualifiedNameProblems,
  labelValue: labelValueProblems,
} as const
