import type { JsonValue } from 'setpoint/schema'
import { type ApiObject, type ApiResource, titleOf } from '../api-resources.ts'
import { followSteps } from './json-path-steps.ts'
import { JsonPathTemplate, readRelaxedPath, valueText } from './json-path-template.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem, unsupported } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { prettyJson, yamlText } from './object-text.ts'
import { TextTable } from './text-table.ts'

/** An object with its kind as discovered from the server. */
export interface PrintedObject {
  readonly resource: ApiResource
  readonly object: ApiObject
}

/** The flags of commands that print objects. */
export const outputFlags: FlagDeclarations = {
  output: { form: 'text', short: 'o' },
  'show-managed-fields': { form: 'yes' },
}

type PrintObjects = (objects: readonly PrintedObject[], shape: 'one' | 'list') => void

/** The printer of `-o`; `undefined` for a table. */
export function objectPrinter(session: KubectlSession): PrintObjects | undefined {
  const { line, terminal } = session
  const output = line.text('output') ?? ''
  const at = output.indexOf('=')
  const format = at === -1 ? output : output.slice(0, at)
  const template = at === -1 ? '' : output.slice(at + 1)
  if (format !== '' && format !== 'wide' && line.isOn('show-labels')) {
    throw new KubectlProblem(`error: --show-labels option cannot be used with ${format} printer`)
  }
  const clean = ({ object }: PrintedObject): ApiObject =>
    line.isOn('show-managed-fields') ? object : withoutManagedFields(object)
  const whole: (...given: Parameters<PrintObjects>) => unknown = (objects, shape) => {
    const [first] = objects
    return shape === 'one' && first !== undefined ? clean(first) : listOf(objects.map(clean))
  }
  switch (format) {
    case '':
    case 'wide':
      return undefined
    case 'json':
      return (...given) => terminal.print(prettyJson(whole(...given)))
    case 'yaml':
      return (...given) => terminal.print(yamlText(whole(...given)))
    case 'name':
      return (objects) => {
        for (const { resource, object } of objects) {
          terminal.print(titleOf(resource, object.metadata.name))
        }
      }
    case 'jsonpath': {
      const parsed = new JsonPathTemplate(template)
      return (...given) => {
        const text = parsed.print(whole(...given) as JsonValue)
        if (text !== '') terminal.draw(text)
      }
    }
    case 'custom-columns':
      return customColumns(template, line.isOn('no-headers'), terminal.print.bind(terminal))
    default:
      throw unsupported(`the output format ${JSON.stringify(format)}`)
  }
}

function customColumns(
  spec: string,
  hasNoHeaders: boolean,
  print: (line: string) => void,
): PrintObjects {
  const columns = spec.split(',').map((column) => {
    const [name = '', ...path] = column.split(':')
    return { name, steps: readRelaxedPath(path.join(':')) }
  })
  return (objects) => {
    const rows = objects.map(({ object }) =>
      columns.map(({ steps }) => {
        const found = followSteps(steps, object as JsonValue)
        return found.length === 0 ? '<none>' : found.map(valueText).join(',')
      }),
    )
    const heading = hasNoHeaders ? [] : [columns.map(({ name }) => name)]
    for (const line of new TextTable().lines([...heading, ...rows])) print(line)
  }
}

function listOf(items: readonly unknown[]): unknown {
  return { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } }
}

/** An object without its managedFields. */
export function withoutManagedFields(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
