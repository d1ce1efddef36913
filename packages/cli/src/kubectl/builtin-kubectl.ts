import { wrapParagraphs, wrapTable } from '../command/index.ts'
import { commonFlags, type FlagDeclarations, readLine } from './kubectl-flags.ts'
import { installHint, KubectlProblem, serverMessage, unsupported } from './kubectl-problem.ts'
import { KubectlSession, type KubectlContext } from './kubectl-session.ts'
import { apiResources, apiResourcesFlags } from './verbs/list-api-resources.ts'
import { apply, applyFlags } from './verbs/apply.ts'
import { auth, authFlags } from './verbs/can-i.ts'
import { create, createFlags } from './verbs/create.ts'
import { deleteFlags, remove } from './verbs/delete.ts'
import { describe, describeFlags } from './verbs/describe.ts'
import { edit, editFlags } from './verbs/edit.ts'
import { get, getFlags } from './verbs/get.ts'
import { annotate, label, labelFlags } from './verbs/label.ts'
import { logs, logsFlags } from './verbs/logs.ts'
import { patch, patchFlags } from './verbs/patch.ts'
import { rollout, rolloutFlags } from './verbs/rollout.ts'
import { scale, scaleFlags } from './verbs/scale.ts'
import { version } from './verbs/print-version.ts'
import { wait, waitFlags } from './verbs/wait.ts'

interface Verb {
  readonly summary: string
  readonly flags: FlagDeclarations
  run(session: KubectlSession): Promise<void>
}

const verbs: Readonly<Record<string, Verb>> = {
  annotate: { summary: 'add and remove annotations', flags: labelFlags, run: annotate },
  'api-resources': {
    summary: 'list the kinds of the server',
    flags: apiResourcesFlags,
    run: apiResources,
  },
  apply: { summary: 'create or update objects from manifests', flags: applyFlags, run: apply },
  auth: { summary: 'auth can-i: whether a user has a permission', flags: authFlags, run: auth },
  create: {
    summary: 'create objects from manifests, namespaces, and Jobs of CronJobs',
    flags: createFlags,
    run: create,
  },
  delete: { summary: 'delete objects', flags: deleteFlags, run: remove },
  describe: { summary: 'print an object with its Events', flags: describeFlags, run: describe },
  edit: { summary: 'change an object in an editor', flags: editFlags, run: edit },
  get: { summary: 'list objects', flags: getFlags, run: get },
  label: { summary: 'add and remove labels', flags: labelFlags, run: label },
  logs: { summary: 'print the output of a container', flags: logsFlags, run: logs },
  patch: { summary: 'change fields of an object', flags: patchFlags, run: patch },
  rollout: { summary: 'rollout status, restart', flags: rolloutFlags, run: rollout },
  scale: { summary: 'set the number of replicas', flags: scaleFlags, run: scale },
  version: { summary: 'print the version of the server', flags: {}, run: version },
  wait: { summary: 'wait for a condition of objects', flags: waitFlags, run: wait },
}

/** Flags with a value that may precede the command: `kubectl -n web get pods`. */
const leading = /^(-n|--namespace|--kubeconfig|--context|--as)$/

/**
 * The built-in kubectl for machines without kubectl: the commands that are needed to try an
 * operator, with kubectl's output and exit codes. Refuses everything else with a link to kubectl.
 */
export async function builtinKubectl(
  context: KubectlContext,
  args: readonly string[],
): Promise<0 | 1> {
  try {
    const { name, rest } = commandOf(args)
    const isHelp = rest.some((word) => word === '--help' || word === '-h')
    if (name === '' || name === 'help') return printHelp(context, verbOf(rest[0] ?? ''), rest[0])
    const verb = verbOf(name)
    if (verb === undefined) throw unsupported(name)
    if (isHelp) return printHelp(context, verb, name)
    const session = await KubectlSession.open(context, readLine(name, rest, verb.flags))
    await verb.run(session)
    return session.exitCode
  } catch (error) {
    const message = error instanceof KubectlProblem ? error.message : serverMessage(error)
    if (message === undefined) throw error
    context.terminal.printProgress(message)
    return 1
  }
}

function verbOf(name: string): Verb | undefined {
  return Object.hasOwn(verbs, name) ? verbs[name] : undefined
}

/** What the built-in kubectl knows: its commands, or the flags of one of them. */
function printHelp({ terminal }: KubectlContext, verb: Verb | undefined, name = ''): 0 {
  const { columns } = terminal
  const lines =
    verb === undefined
      ? [
          ...wrapParagraphs(
            'The kubectl in setpoint, for machines without kubectl. It knows:',
            columns,
          ),
          '',
          ...wrapTable(
            Object.entries(verbs).map(([each, { summary }]) => [each, summary]),
            columns,
          ),
          '',
          ...wrapParagraphs(
            '`setpoint kubectl COMMAND --help` lists the flags of a command.',
            columns,
          ),
        ]
      : [
          `setpoint kubectl ${name}: ${verb.summary}`,
          '',
          ...Object.entries({ ...verb.flags, ...commonFlags }).map(([flag, { short, form }]) => {
            const letter = short === undefined ? '    ' : `-${short}, `
            return `  ${letter}--${flag}${form === 'yes' ? '' : '=VALUE'}`
          }),
        ]
  for (const line of lines) terminal.print(line)
  terminal.print(`\nEverything else needs kubectl: ${installHint}`)
  return 0
}

function commandOf(args: readonly string[]): { name: string; rest: readonly string[] } {
  let at = 0
  while (args[at]?.startsWith('-') === true) at += leading.test(args[at] ?? '') ? 2 : 1
  return { name: args[at] ?? '', rest: [...args.slice(0, at), ...args.slice(at + 1)] }
}
