import { isJsonObject, type JsonValue } from 'setpoint/schema'

const unsafeInHtml = /[<>&\u2028\u2029]/
const unsafeInHtmlAll = /[<>&\u2028\u2029]/g

/**
 * JSON as a real server prints it: Go's encoder escapes characters for HTML, and integers above
 * 2^53 keep their digits. Keys keep their order.
 */
export function encodeJson(value: JsonValue): string {
  const text = stringify(value)
  return unsafeInHtml.test(text) ? text.replace(unsafeInHtmlAll, escapeForHtml) : text
}

function escapeForHtml(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function stringify(value: JsonValue): string {
  try {
    return JSON.stringify(value)
  } catch {
    // A bigint, which the native encoder refuses, or a depth that overflows its stack.
    return stringifyPieces(value)
  }
}

/** A list or an object that is being printed. */
interface Printing {
  readonly keys: readonly string[] | undefined
  readonly items: readonly JsonValue[]
  next: number
}

function stringifyPieces(root: JsonValue): string {
  const pieces: string[] = []
  const stack: Printing[] = []
  const print = (value: JsonValue): void => {
    if (typeof value === 'bigint') pieces.push(value.toString())
    else if (Array.isArray(value)) {
      pieces.push('[')
      stack.push({ keys: undefined, items: value, next: 0 })
    } else if (isJsonObject(value)) {
      pieces.push('{')
      stack.push({ keys: Object.keys(value), items: Object.values(value), next: 0 })
    } else pieces.push(JSON.stringify(value))
  }
  print(root)
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { keys, items } = top
    const index = top.next++
    if (index >= items.length) {
      pieces.push(keys === undefined ? ']' : '}')
      stack.pop()
      continue
    }
    if (index > 0) pieces.push(',')
    if (keys !== undefined) pieces.push(JSON.stringify(keys[index]), ':')
    print(items[index] as JsonValue)
  }
  return pieces.join('')
}
