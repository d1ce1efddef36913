import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration, OptionDeclaration } from '../command/index.ts'
import { jsonOption } from './shared-options.ts'

const nameArgument = { name: 'NAME', summary: 'the name of the runbook' } as const
const objectArgument = {
  name: 'OBJECT',
  summary: 'KIND/NAME, for example sampledb/example',
} as const

const namespaceOption: OptionDeclaration = {
  name: 'namespace',
  short: 'n',
  value: 'NAMESPACE',
  summary: 'the namespace of the object; default: that of the context',
}

/** Starts, shows and cancels the runbooks of an object. */
export const runbookCommands: readonly CommandDeclaration[] = [
  {
    name: 'runbook start',
    summary: 'start a runbook of an object, and wait until the run has ended',
    details: `Sets an annotation of the object, which needs the permission to patch it. The operator of the object starts
the run, or refuses the request. The progress of the steps is printed. Ctrl-C stops waiting; the run continues.`,
    arguments: [nameArgument, objectArgument],
    options: [
      {
        name: 'param',
        value: 'KEY=VALUE',
        isRepeated: true,
        summary: 'a parameter of the run; a value that is JSON is sent as JSON',
      },
      { name: 'no-wait', summary: 'do not wait for the end of the run' },
      { name: 'timeout', value: 'DURATION', summary: 'how long to wait; default: 1h' },
      namespaceOption,
      yesOption,
      jsonOption,
      ...clusterOptions,
    ],
    examples: [
      { command: 'setpoint runbook start backup sampledb/example', what: 'wait for the result' },
      {
        command: 'setpoint runbook start restore sampledb/example --param backup=monday --no-wait',
        what: 'with a parameter',
      },
    ],
    stopsGracefully: true,
    load: async () => (await import('../runbook/index.ts')).runRunbookStart,
  },
  {
    name: 'runbook status',
    summary: 'show the runbooks of an object, with their steps and their history',
    arguments: [objectArgument],
    options: [namespaceOption, jsonOption, ...clusterOptions],
    examples: [
      { command: 'setpoint runbook status sampledb/example', what: 'all runbooks of an object' },
    ],
    load: async () => (await import('../runbook/index.ts')).runRunbookStatus,
  },
  {
    name: 'runbook cancel',
    summary: 'cancel the run of a runbook that is in progress',
    arguments: [nameArgument, objectArgument],
    options: [namespaceOption, yesOption, ...clusterOptions],
    examples: [
      { command: 'setpoint runbook cancel upgrade sampledb/example', what: 'end its steps' },
    ],
    load: async () => (await import('../runbook/index.ts')).runRunbookCancel,
  },
]
