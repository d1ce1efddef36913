import { badRequest } from '../../status/index.ts'

/** One requirement on a field of an object. */
export interface FieldRequirement {
  readonly field: string
  readonly isEqual: boolean
  readonly value: string
}

/** Parses `fieldSelector`: `a=b,c!=d`. 400 with a real server's message when it is invalid. */
export function parseFieldSelector(text: string): FieldRequirement[] {
  return splitTerms(text).map((term) => {
    const match = /^((?:[^=!\\]|\\.)*?)(!=|==|=)((?:.|\n)*)$/.exec(term)
    if (match === null) {
      throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`)
    }
    const [, field = '', operator = '', raw = ''] = match
    return { field, isEqual: operator !== '!=', value: unescape(raw) }
  })
}

function splitTerms(text: string): string[] {
  const terms: string[] = []
  let term = ''
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '\\') {
      term += text.slice(at, at + 2)
      at += 1
    } else if (character === ',') {
      terms.push(term)
      term = ''
    } else {
      term += character
    }
  }
  return [...terms, term].filter((piece) => piece !== '')
}

function unescape(value: string): string {
  let plain = ''
  for (let at = 0; at < value.length; at += 1) {
    const character = value.charAt(at)
    if (character === '=') {
      throw badRequest(`invalid field selector: unescaped character in value: ${'='.charCodeAt(0)}`)
    }
    if (character !== '\\') {
      plain += character
      continue
    }
    const next = value.charAt(at + 1)
    if (!['\\', ',', '='].includes(next)) {
      throw badRequest(`invalid field selector: invalid escape sequence: \\${next}`)
    }
    plain += next
    at += 1
  }
  return plain
}
