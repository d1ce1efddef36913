import type { ResourceNames } from './names.ts'

/**
 * Adds an operator to the module with the list of operators. `undefined` when the list does not
 * have the form in which `setpoint new` writes it: then the user has to add it.
 */
export function addToOperators(
  text: string,
  { variable, file }: ResourceNames,
): string | undefined {
  const list = /^export default \[([^\]]*)\]/m.exec(text)
  if (list === null) return undefined
  const [whole, inner = ''] = list
  const entries = inner
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const isMultiline = inner.includes('\n')
  const all = [...entries, variable]
  const written = isMultiline
    ? `[\n${all.map((entry) => `  ${entry},\n`).join('')}]`
    : `[${all.join(', ')}]`
  const imports = [...text.matchAll(/^import .*$/gm)]
  const last = imports.at(-1)
  const line = `import ${variable} from './${file}.ts'`
  const listed = text.replace(whole, () => `export default ${written}`)
  if (last === undefined) return `${line}\n\n${listed}`
  const end = last.index + last[0].length
  return `${listed.slice(0, end)}\n${line}${listed.slice(end)}`
}
