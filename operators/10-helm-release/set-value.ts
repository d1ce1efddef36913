/** A map of values, as values.yaml has it. */
export type Values = Readonly<Record<string, unknown>>

/**
 * Sets one value at a path, as `helm --set` does: `a.b`, `list[0].name`, `a\.b` for a name with a
 * dot. The text becomes a boolean, a null, an integer or a list (`{a,b}`) if it is written like one.
 */
export function setValue(values: Values, path: string, text: string): Values {
  return setLiteral(values, path, valueOf(text))
}

/** Sets one value at a path as it is, as `helm --set-literal` does. */
export function setLiteral(values: Values, path: string, value: unknown): Values {
  const steps = stepsOf(path)
  const result = withValue(values, steps, value)
  if (isMap(result)) return result
  throw new Error(`the path ${path} does not begin with a name`)
}

type Step = string | number

/** The names and indices of a path. */
function stepsOf(path: string): Step[] {
  const parts = path.match(/(?:\\.|[^.\\])+/g) ?? []
  return parts.flatMap((part) => {
    const [, name = '', indices = ''] = /^(.*?)((?:\[\d+\])*)$/.exec(part) ?? []
    const numbers = [...indices.matchAll(/\d+/g)].map(([digits]) => Number(digits))
    if (numbers.some((index) => index >= indexMax)) {
      throw new Error(`the path ${path} has an index of ${indexMax} or more`)
    }
    return [...(name === '' ? [] : [name.replaceAll(/\\(.)/g, '$1')]), ...numbers]
  })
}

/** Larger indices would make lists that fill the memory. */
const indexMax = 65_536

function withValue(before: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
  if (step === undefined) return value
  if (typeof step === 'string') {
    const map = isMap(before) ? before : {}
    return { ...map, [step]: withValue(map[step], rest, value) }
  }
  const list: readonly unknown[] = Array.isArray(before) ? before : []
  return Array.from({ length: Math.max(list.length, step + 1) }, (_, index) =>
    index === step ? withValue(list[index], rest, value) : (list[index] ?? null),
  )
}

function valueOf(text: string): unknown {
  const list = /^\{(.*)\}$/s.exec(text)?.[1]
  if (list !== undefined) return list === '' ? [] : list.split(',').map(valueOf)
  const quoted = /^(['"])(.*)\1$/s.exec(text)?.[2]
  if (quoted !== undefined) return quoted
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  const number = Number(text)
  return /^(0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(number) ? number : text
}

/** Whether a value is a map. */
export function isMap(value: unknown): value is Values {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
