/** Named formats: `format.dns1123Label().validate("a")`. */
import { stringFormat } from '../../schema/formats/string-formats.ts'
import { requestUriProblem } from '../../schema/formats/uri-formats.ts'
import { nameProblems } from '../../schema/index.ts'
import { objectType } from '../types/cel-type.ts'
import {
  declare,
  type CelFunction,
  type FunctionDeclaration,
} from '../types/function-declaration.ts'
import { ArrayList, CelObject, CelOptional, optionalNone } from '../values/cel-value.ts'

const formatType = objectType('kubernetes.NamedFormat')

/** A format. */
class CelFormat extends CelObject {
  readonly type = formatType
  readonly name: string
  /** The size of the pattern that the cost of a validation assumes. */
  readonly patternSizeMax: number
  readonly problems: (text: string) => readonly string[]

  constructor(name: string, patternSizeMax: number, problems: (text: string) => readonly string[]) {
    super()
    this.name = name
    this.patternSizeMax = patternSizeMax
    this.problems = problems
  }

  equals(other: CelObject): boolean {
    return other instanceof CelFormat && other.name === this.name
  }
}

/** The rule of a prefix of a name: a dash at its end is removed first. */
function ofPrefix(problems: (text: string) => string[]): (text: string) => string[] {
  return (text) => problems(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text)
}

function matching(format: string, problem: string): (text: string) => string[] {
  const isValid = stringFormat(format)
  return (text) => (isValid?.(text) === true ? [] : [problem])
}

const { dns1035Label, qualifiedName, labelValue } = nameProblems

/** The server counts characters in these messages, and bytes where it checks names of objects. */
function inCharacters(problems: (text: string) => string[]): (text: string) => string[] {
  return (text) =>
    problems(text).map((problem) =>
      problem.replace(/(?<=^must be no more than \d+ )bytes$/, 'characters'),
    )
}

const dnsLabel = inCharacters(nameProblems.dnsLabel)
const dnsSubdomain = inCharacters(nameProblems.dnsSubdomain)

const formats: Readonly<Record<string, CelFormat>> = {
  dns1123Label: new CelFormat('DNS1123Label', 30, dnsLabel),
  dns1123Subdomain: new CelFormat('DNS1123Subdomain', 60, dnsSubdomain),
  dns1035Label: new CelFormat('DNS1035Label', 30, dns1035Label),
  qualifiedName: new CelFormat('QualifiedName', 60, qualifiedName),
  dns1123LabelPrefix: new CelFormat('DNS1123LabelPrefix', 30, ofPrefix(dnsLabel)),
  dns1123SubdomainPrefix: new CelFormat('DNS1123SubdomainPrefix', 60, ofPrefix(dnsSubdomain)),
  dns1035LabelPrefix: new CelFormat('DNS1035LabelPrefix', 30, ofPrefix(dns1035Label)),
  labelValue: new CelFormat('LabelValue', 40, labelValue),
  uri: new CelFormat('URI', 1103, (text) => {
    const problem = requestUriProblem(text)
    return problem === undefined ? [] : [problem]
  }),
  uuid: new CelFormat('uuid', 70, matching('uuid', 'does not match the UUID format')),
  byte: new CelFormat('byte', 84, matching('byte', 'invalid base64')),
  date: new CelFormat('date', 71, matching('date', 'invalid date')),
  datetime: new CelFormat('datetime', 71, matching('datetime', 'invalid datetime')),
}

function constants(): Record<string, readonly (readonly [string, CelFunction])[]> {
  return Object.fromEntries(
    Object.entries(formats).map(([name, format]) => [
      `format.${name}`,
      [[`format.${name}(): kubernetes.NamedFormat`, () => format] as const],
    ]),
  )
}

/** The functions of formats. */
export const namedFormats: readonly FunctionDeclaration[] = declare({
  ...constants(),
  'format.named': [
    [
      'format-named(string): optional_type(kubernetes.NamedFormat)',
      (name) => {
        const format = Object.hasOwn(formats, name as string) ? formats[name as string] : undefined
        return format === undefined ? optionalNone : new CelOptional(format)
      },
    ],
  ],
  validate: [
    [
      '.format-validate(kubernetes.NamedFormat, string): optional_type(list(string))',
      (format, text) => {
        const problems = (format as CelFormat).problems(text as string)
        return problems.length === 0 ? optionalNone : new CelOptional(new ArrayList(problems))
      },
    ],
  ],
})
