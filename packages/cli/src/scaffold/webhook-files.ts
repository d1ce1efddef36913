/** The functions and files that `setpoint add webhook` writes, as text. */

/** Which functions are added. */
export interface AddedFunctions {
  readonly validate: boolean
  readonly mutate: boolean
}

/** The names in the written sources. */
interface WebhookNames {
  readonly kind: string
  /** The variable of the operator. */
  readonly variable: string
  /** The module of the operator, without its extension. */
  readonly file: string
}

/** The calls of `.validate` and `.mutate`, to be replaced by rules of the author. */
export function functionsText({ validate, mutate }: AddedFunctions): string {
  const validation = `
  .validate(({ metadata: { name } }) =>
    name.length > 40 ? [problem('metadata.name', 'at most 40 characters')] : [],
  )`
  const mutation = `
  .mutate((draft) => {
    draft.metadata.labels = { reviewed: 'true', ...draft.metadata.labels }
  })`
  return `${validate ? validation : ''}${mutate ? mutation : ''}`
}

/** The module of an operator that only reviews requests for a built-in kind. */
export function reviewerText(names: WebhookNames, functions: AddedFunctions): string {
  const { kind, file } = names
  const imported = functions.validate ? 'operator, problem' : 'operator'
  return `import { ${imported} } from 'setpoint'
import { ${kind} } from 'setpoint/kinds'

/** Reviews requests for ${kind} objects. */
export default operator(${kind}, { name: '${file}' })${functionsText(functions)}
`
}

interface TestedWebhook {
  readonly names: WebhookNames
  readonly functions: AddedFunctions
  /** The import of the kind, and the fields of a valid object besides the metadata. */
  readonly kindImport: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** The test of the added functions. */
export function webhookTestText({ names, functions, kindImport, fields }: TestedWebhook): string {
  const { kind, variable } = names
  const content = Object.entries(fields)
    .map(([field, value]) => `\n      ${field}: ${literalText(value)},`)
    .join('')
  const refusal = `
  await expect(create('a'.repeat(41))).rejects.toThrow('at most 40 characters')`
  const label = `
  expect((await create('hello')).metadata.labels).toMatchObject({ reviewed: 'true' })`
  const acceptance = `
  expect((await create('hello')).metadata.name).toBe('hello')`
  return `import { testWorld } from '@setpoint/cluster'
import { expect, test } from 'vitest'
${kindImport}

// The API server of the embedded cluster calls the functions, as a real one does.
test('reviews new ${kind} objects', async () => {
  await using world = await testWorld({ operators: [${variable}] })
  const create = (name: string) =>
    world.client.create(${kind}, {
      metadata: { name },${content}
    })${functions.validate ? refusal : ''}${functions.mutate ? label : acceptance}
})
`
}

/** A JSON value as source text in one line. */
function literalText(value: unknown): string {
  if (typeof value === 'string') return stringText(value)
  if (Array.isArray(value)) return `[${value.map(literalText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([key, field]) =>
      `${/^[A-Za-z_]\w*$/.test(key) ? key : stringText(key)}: ${literalText(field)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function stringText(value: string): string {
  const quoted = JSON.stringify(value)
  return /['\\]/.test(quoted) ? quoted : `'${quoted.slice(1, -1)}'`
}
