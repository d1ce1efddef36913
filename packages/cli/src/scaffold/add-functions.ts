import { type AddedFunctions, functionsText } from './webhook-files.ts'

/**
 * Adds functions to the operator of a kind in the text of a module, and the import that they need.
 * `undefined` if the module does not have the form in which `setpoint add resource` writes it.
 */
export function addFunctions(
  text: string,
  kind: string,
  functions: AddedFunctions,
): string | undefined {
  const call = new RegExp(`\\boperator\\(\\s*${kind}\\b`).exec(text)
  const end = call === null ? undefined : closingParenthesis(text, call.index)
  if (end === undefined) return undefined
  const added = `${text.slice(0, end + 1)}${functionsText(functions)}${text.slice(end + 1)}`
  return functions.validate ? withImport(added) : added
}

/** The index of the parenthesis that closes the first one after `from`. */
function closingParenthesis(text: string, from: number): number | undefined {
  let depth = 0
  for (let index = text.indexOf('(', from); index < text.length; index += 1) {
    if (text[index] === '(') depth += 1
    if (text[index] === ')') depth -= 1
    if (depth === 0) return index
  }
  return undefined
}

function withImport(text: string): string | undefined {
  const line = /^import \{([^}]*)\} from 'setpoint'$/m.exec(text)
  if (line === null) return undefined
  const names = (line[1] ?? '').split(',').map((name) => name.trim())
  if (names.includes('problem')) return text
  const all = [...names.filter((name) => name !== ''), 'problem']
  return text.replace(line[0], () => `import { ${all.join(', ')} } from 'setpoint'`)
}
