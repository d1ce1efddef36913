// Prints TypeScript declarations as Prettier does with this repository's settings, so that the
// generated kinds and the output of `typesFromCrd` need no formatter. Everything from outside
// passes `quoted`, `propertyName` or `docComment`: names from a CRD never become code.

const widthMax = 100

/** A type expression, limited to the forms that Kubernetes schemas need. */
export type TypeNode =
  | { readonly form: 'name'; readonly name: string }
  | { readonly form: 'literal'; readonly value: string | number | boolean }
  | { readonly form: 'array'; readonly of: TypeNode }
  | { readonly form: 'record'; readonly of: TypeNode }
  | { readonly form: 'union'; readonly of: readonly TypeNode[] }

/** One property of an interface. */
export interface Member {
  readonly name: string
  readonly optional: boolean
  readonly type: TypeNode
  readonly doc?: string | undefined
}

/** An interface to print; `open` ones accept unknown properties. */
export interface InterfaceSource {
  readonly name: string
  readonly members: readonly Member[]
  readonly open?: boolean
  readonly doc?: string | undefined
}

/** A keyword, an interface or an alias; the caller guarantees a valid identifier. */
export function named(name: string): TypeNode {
  return { form: 'name', name }
}

/** Joins types with `|`, flattens nested unions and drops repetitions. */
export function union(...types: readonly TypeNode[]): TypeNode {
  const flat = types.flatMap((type) => (type.form === 'union' ? type.of : [type]))
  const distinct = new Map(flat.map((type) => [printFlat(type), type]))
  const [first = named('never'), ...rest] = distinct.values()
  return rest.length === 0 ? first : { form: 'union', of: [first, ...rest] }
}

/** A string literal, quoted as by Prettier: single quotes unless that needs more escapes. */
export function quoted(text: string): string {
  const body = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  const escaped = body.replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, unicodeEscape)
  const singles = text.split("'").length
  const doubles = text.split('"').length
  return singles > doubles
    ? `"${escaped.replaceAll('"', '\\"')}"`
    : `'${escaped.replaceAll("'", "\\'")}'`
}

/** A property name, quoted unless it is a plain identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

/** A declaration such as `export interface Widget { ... }`, ending without a newline. */
export function printInterface(source: InterfaceSource): string {
  const lines = source.members.map((member) => docComment(member.doc, '  ') + printMember(member))
  if (source.open === true) lines.push('  [field: string]: unknown')
  const body = lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`
  return `${docComment(source.doc, '')}export interface ${source.name} ${body}`
}

/** A list in code and its surroundings: `import { a, b } from 'c'`. */
interface ListSource {
  readonly before: string
  readonly items: readonly string[]
  readonly brackets: '[]' | '{}'
  readonly after?: string
}

/** The list on one line if it fits, otherwise one item per line. */
export function printList({ before, items, brackets, after = '' }: ListSource): string {
  const [open, close] = brackets === '[]' ? ['[', ']'] : ['{ ', ' }']
  const flat = `${before}${open}${items.join(', ')}${close}${after}`
  if (flat.length <= widthMax) return flat
  const indent = /^ */.exec(before)?.[0] ?? ''
  const lines = items.map((item) => `${indent}  ${item},\n`).join('')
  return `${before}${open.trim()}\n${lines}${indent}${close.trim()}${after}`
}

/**
 * A doc comment that cannot be closed by its text: comment ends and compiler directives inside the
 * text are escaped, line breaks are kept and long lines wrapped. Empty for an empty text.
 */
export function docComment(text: string | undefined, indent: string): string {
  const lines = (text ?? '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g, '\n')
    .replaceAll('*/', '*\\/')
    .replace(/@(?=ts-)/g, '@ ')
    .split('\n')
    .map((line) => line.trim())
    .flatMap((line) => wrapped(line, widthMax - indent.length - 3))
  while (lines[0] === '') lines.shift()
  while (lines.at(-1) === '') lines.pop()
  const [only = ''] = lines
  if (lines.length === 0) return ''
  if (lines.length === 1 && indent.length + only.length + 7 <= widthMax) {
    return `${indent}/** ${only} */\n`
  }
  return [`/**`, ...lines.map((line) => ` * ${line}`.trimEnd()), ' */']
    .map((line) => `${indent}${line}\n`)
    .join('')
}

function wrapped(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/\s+/)) {
    if (current !== '' && current.length + word.length + 1 > width) {
      lines.push(current)
      current = word
    } else {
      current = current === '' ? word : `${current} ${word}`
    }
  }
  return [...lines, current]
}

function printMember({ name, optional, type }: Member): string {
  const head = `  ${propertyName(name)}${optional ? '?' : ''}:`
  const flat = `${head} ${printFlat(type)}`
  if (flat.length <= widthMax) return flat
  return type.form === 'union' && !isHugged(type.of)
    ? `${head}\n${printOwnLine(type, '    ')}`
    : `${head} ${printBroken(type, '  ')}`
}

function printFlat(type: TypeNode): string {
  switch (type.form) {
    case 'name':
      return type.name
    case 'literal':
      return typeof type.value === 'string'
        ? quoted(type.value)
        : String(type.value).replace('e+', 'e')
    case 'array':
      return type.of.form === 'union' ? `(${printFlat(type.of)})[]` : `${printFlat(type.of)}[]`
    case 'record':
      return `Record<string, ${printFlat(type.of)}>`
    case 'union':
      return type.of.map(printFlat).join(' | ')
  }
}

/**
 * The form of a type that does not fit on its line; `indent` is the indentation of the line on
 * which it starts.
 */
function printBroken(type: TypeNode, indent: string): string {
  const inner = `${indent}  `
  switch (type.form) {
    case 'name':
    case 'literal':
      return printFlat(type)
    case 'array':
      if (type.of.form !== 'union') return `${printBroken(type.of, indent)}[]`
      return isHugged(type.of.of)
        ? `(${printBroken(type.of, indent)})[]`
        : `(\n${printOwnLine(type.of, inner)}\n${indent})[]`
    case 'record':
      return `Record<\n${inner}string,\n${printOwnLine(type.of, inner)}\n${indent}>`
    case 'union':
      return type.of.map((part) => printBroken(part, indent)).join(' | ')
  }
}

function printOwnLine(type: TypeNode, indent: string): string {
  const flat = indent + printFlat(type)
  if (flat.length <= widthMax) return flat
  return type.form === 'union' && !isHugged(type.of)
    ? printAlternatives(type.of, indent)
    : indent + printBroken(type, indent)
}

function printAlternatives(types: readonly TypeNode[], indent: string): string {
  return types
    .map((type) => {
      const flat = `${indent}| ${printFlat(type)}`
      return flat.length <= widthMax ? flat : `${indent}| ${printBroken(type, `${indent}  `)}`
    })
    .join('\n')
}

/** Prettier keeps `Something | null` together where it breaks every other union into lines. */
function isHugged(types: readonly TypeNode[]): boolean {
  const others = types.filter((type) => type.form !== 'name' || type.name !== 'null')
  const [other] = others
  return (
    types.length === 2 &&
    others.length === 1 &&
    (other?.form === 'record' || (other?.form === 'name' && /^[A-Z]/.test(other.name)))
  )
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
