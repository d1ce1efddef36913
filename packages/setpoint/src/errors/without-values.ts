/** Messages of Kubernetes show the refused value after one of these titles. */
const titled = /(Invalid value|Duplicate value|Too long|Not found): /g

/** Values that cannot be secret. */
const harmless = /^(?:-?\d[\d.e+]*|true|false|null)(?=:|;|,|\]|\s|$)/

const quoted = /^"(?:[^"\\]|\\.)*"?/s

/**
 * A message without the values of fields that it refuses: one of them may be a password. Numbers
 * and booleans stay; unsupported values of a closed list stay, too. It is for everything that people
 * other than the author of an object read: logs, conditions, Events.
 */
export function withoutValues(message: string): string {
  let text = ''
  let from = 0
  for (const match of message.matchAll(titled)) {
    const start = match.index + match[0].length
    if (start < from) continue
    const rest = message.slice(start)
    if (harmless.test(rest)) continue
    const end = start + valueLength(rest)
    // Without a value, this is the detail of the message.
    if (end === start) continue
    const colon = message.startsWith(': ', end) ? 2 : 0
    text += message.slice(from, colon === 2 ? start : start - 2)
    from = end + colon
  }
  return from === 0 ? message : text + message.slice(from)
}

/** The types that Go prints before a structure. */
const goType = /^(?:map\[\w+\]|\[\])*(?:interface ?\{\}|[\w.*]+)?(?=\{)/

/** The length of a printed value: a quoted text, or a structure that begins with a bracket. */
function valueLength(text: string): number {
  const string = quoted.exec(text)
  if (string !== null) return string[0].length
  const start = goType.exec(text)?.[0].length ?? 0
  if (!'{['.includes(text[start] ?? 'none')) return 0
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '"') at += (quoted.exec(text.slice(at))?.[0].length ?? 1) - 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth === 0) return at + 1
  }
  return text.length
}
