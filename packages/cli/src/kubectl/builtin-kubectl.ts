import { type FlagDeclarations, readLine } from './kubectl-flags.ts'
import { KubectlProblem, serverMessage, unsupported } from './kubectl-problem.ts'
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
  readonly flags: FlagDeclarations
  run(session: KubectlSession): Promise<void>
}

const verbs: Readonly<Record<string, Verb>> = {
  annotate: { flags: labelFlags, run: annotate },
  'api-resources': { flags: apiResourcesFlags, run: apiResources },
  apply: { flags: applyFlags, run: apply },
  auth: { flags: authFlags, run: auth },
  create: { flags: createFlags, run: create },
  delete: { flags: deleteFlags, run: remove },
  describe: { flags: describeFlags, run: describe },
  edit: { flags: editFlags, run: edit },
  get: { flags: getFlags, run: get },
  label: { flags: labelFlags, run: label },
  logs: { flags: logsFlags, run: logs },
  patch: { flags: patchFlags, run: patch },
  rollout: { flags: rolloutFlags, run: rollout },
  scale: { flags: scaleFlags, run: scale },
  version: { flags: {}, run: version },
  wait: { flags: waitFlags, run: wait },
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
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    if (verb === undefined) throw unsupported(name === '' ? 'a call without a command' : name)
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

function commandOf(args: readonly string[]): { name: string; rest: readonly string[] } {
  let at = 0
  while (args[at]?.startsWith('-') === true) at += leading.test(args[at] ?? '') ? 2 : 1
  return { name: args[at] ?? '', rest: [...args.slice(0, at), ...args.slice(at + 1)] }
}
