/**
 * The naming rules of the built-in kinds, each as a function from a text to the messages of a real
 * server (none when the name is valid). The regular expressions appear in the messages. Rules that
 * custom resources also need are in `setpoint/schema`.
 */
import { nameProblems } from 'setpoint/schema'

export { pathSegmentProblems } from '../../object/index.ts'

/** A function that returns the problems of a text. */
type Problems = (text: string) => string[]

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomain = `${label1123}(\\.${label1123})*`
const label1123Underscore = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'

/** The length of the text in UTF-8, which is Go's `len`. */
export function byteLength(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0x800) bytes += 2
    else if (unit >= 0x80) bytes += 1
    if (unit >= 0xd800 && unit < 0xdc00) {
      index++
      bytes -= 1
    }
  }
  return bytes
}

/** The message about a text that does not match, with the examples of the rule. */
export function regexProblem(text: string, pattern: string, examples: readonly string[]): string {
  if (examples.length === 0) return `${text} (regex used for validation is '${pattern}')`
  const shown = examples.map((example) => `'${example}', `).join(' or ')
  return `${text} (e.g. ${shown}regex used for validation is '${pattern}')`
}

interface Rule {
  readonly pattern: string
  readonly text: string
  readonly examples: readonly string[]
  /** The limit in bytes, although most messages name characters. */
  readonly lengthMax?: number
  readonly unit?: 'bytes'
}

/** Checks the length and the pattern, in this order. */
function checker(rule: Rule): (text: string) => string[] {
  const regExp = new RegExp(`^(?:${rule.pattern})$`)
  const { lengthMax = Infinity, unit = 'characters' } = rule
  const message = regexProblem(rule.text, rule.pattern, rule.examples)
  const tooLong = `must be no more than ${lengthMax} ${unit}`
  return (text) => {
    const problems: string[] = []
    if (text.length * 3 > lengthMax && byteLength(text) > lengthMax) problems.push(tooLong)
    if (!regExp.test(text)) problems.push(message)
    return problems
  }
}

const subdomainRule = {
  pattern: subdomain,
  text: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
  lengthMax: 253,
} as const

/** Dot-separated lower-case labels: the names of most objects. */
export const subdomainProblems = checker(subdomainRule)

/** DNS search paths, where labels may contain underscores. */
export const underscoreSubdomainProblems = checker({
  pattern: `${label1123Underscore}(\\.${label1123Underscore})*`,
  text: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
  lengthMax: 253,
})

/** Wildcard hosts of an Ingress. */
export const wildcardSubdomainProblems = checker({
  pattern: `\\*\\.${subdomain}`,
  text: "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  examples: ['*.example.com'],
  lengthMax: 253,
})

/** One label that starts with a letter: versions of APIServices. */
export const label1035Problems: Problems = nameProblems.dns1035Label

const plainLabelProblems = checker({
  pattern: label1123,
  text: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
  lengthMax: 63,
})

const subdomainRegExp = new RegExp(`^(?:${subdomain})$`)

/** One lower-case label: containers, volumes, namespaces. Dots have their own message. */
export function labelProblems(text: string): string[] {
  const problems = plainLabelProblems(text)
  if (problems.length === 0 || !text.includes('.') || !subdomainRegExp.test(text)) return problems
  return [...problems.slice(0, -1), 'must not contain dots']
}

/** An optional domain and a name: keys of labels and annotations, finalizers, conditions. */
export const qualifiedNameProblems: Problems = nameProblems.qualifiedName

/** Values of labels. */
export const labelValueProblems: Problems = nameProblems.labelValue

const dataKeyProblems = checker({
  pattern: '[-._a-zA-Z0-9]+',
  text: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  examples: ['key.name', 'KEY_NAME', 'key-name'],
  lengthMax: 253,
})

/** Keys of ConfigMaps and Secrets, which become file names. */
export function configKeyProblems(text: string): string[] {
  const problems = dataKeyProblems(text)
  if (text === '.' || text === '..') problems.push(`must not be '${text}'`)
  else if (text.startsWith('..')) problems.push("must not start with '..'")
  return problems
}

/** Names of environment variables: any printable ASCII but `=`. */
export function envNameProblems(text: string): string[] {
  if (text === '') return ['environment variable name must be non-empty']
  return /^[ -<>-~]*$/.test(text)
    ? []
    : [
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ]
}

/** Names of HTTP headers of probes. */
export const httpHeaderProblems = checker({
  pattern: '[-A-Za-z0-9]+',
  text: "a valid HTTP header must consist of alphanumeric characters or '-'",
  examples: ['X-Header-Name'],
})

/** Percentages such as `25%`. */
export const percentProblems = checker({
  pattern: '[0-9]+%',
  text: "a valid percent string must be a numeric string followed by an ending '%'",
  examples: ['1%', '93%'],
})

/** Names of ports (IANA service names). */
export function portNameProblems(text: string): string[] {
  const problems: string[] = []
  if (byteLength(text) > 15) problems.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(text)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  }
  if (!/[a-z]/.test(text)) problems.push('must contain at least one letter (a-z)')
  if (text.includes('--')) problems.push('must not contain consecutive hyphens')
  if (text.startsWith('-') || text.endsWith('-')) {
    problems.push('must not begin or end with a hyphen')
  }
  return problems
}

/** The message about a number outside its range. */
export function rangeProblem(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`
}

/** Numbers of ports. */
export function portNumberProblems(port: number): string[] {
  return port >= 1 && port <= 65535 ? [] : [rangeProblem(1, 65535)]
}

/** Numbers of users and groups. */
export function idProblems(id: number): string[] {
  return id >= 0 && id <= 2147483647 ? [] : [rangeProblem(0, 2147483647)]
}
