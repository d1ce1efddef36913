import { accessCluster, confirmWrites, type ClusterAccess } from '../access/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
  type RunCommand,
} from '../command/index.ts'
import { checkExpressions } from '../expressions/index.ts'
import {
  definitionsOf,
  manifestOptions,
  needsPods,
  type ProjectObjects,
  projectObjects,
} from '../generate/index.ts'
import { loadOperators } from '../project/index.ts'
import { applyChanges } from './apply-changes.ts'
import { definitionObjects, untilServed } from './plan/definition-plan.ts'
import { timeoutMs } from './duration-option.ts'
import { leftovers, ownedObjects } from './owned-objects.ts'
import { planChanges, type PlannedChange } from './plan/plan-changes.ts'
import { hasWrites, planJson, showPlan } from './plan/show-plan.ts'
import { type Rollout, waitForRollout } from './wait-for-rollout.ts'

/** `setpoint deploy`: applies the operators and everything they need, and waits for the rollout. */
export const runDeploy: RunCommand = async (context, input) => {
  const { project, operators } = await loadOperators(context, input.arguments[0])
  const options = manifestOptions(input)
  const hasPods = needsPods(operators)
  const hasImage = options.image !== undefined || project.settings.image !== undefined
  if (hasPods && !hasImage) throw noImage()
  await checkExpressions(operators)
  const waitMs = timeoutMs(input)
  const objects = projectObjects({ project, operators, options })
  const access = await accessCluster(context, input)
  const { client } = access
  const force = input.has('force-conflicts')
  const definitions = await definitionObjects(client, operators, {
    settings: objects.settings,
    served: objects.definitions,
  })
  const first = await planChanges(client, { objects: definitions, force })
  const second = await planDeployment(access, objects, force)
  const plan = [...first, ...second]
  showPlan(context, input, plan)
  const isDryRun = input.has('dry-run')
  if (isDryRun) return report({ context, input, access }, { plan, isDryRun })
  if (hasWrites(plan)) {
    await confirmWrites(context, input, { access, what: `deploy ${objects.settings.name}` })
    await applyChanges(client, first, force)
    await untilServed(context, client, definitionsOf(operators))
    await applyChanges(client, second, force)
  }
  if (input.has('no-wait') || !hasPods) {
    return report({ context, input, access }, { plan, isDryRun, hasPods })
  }
  const { settings } = objects
  const rollout = await waitForRollout(context, client, { settings, timeoutMs: waitMs })
  return report({ context, input, access }, { plan, isDryRun, rollout })
}

/**
 * Plans the Deployment and its permissions; objects of an earlier deployment that are not needed
 * are deleted.
 */
async function planDeployment(
  { client }: ClusterAccess,
  { settings, userRoles, namespace, rights, workload, monitoring, policies }: ProjectObjects,
  force: boolean,
): Promise<PlannedChange[]> {
  const desired = [...userRoles, ...namespace, ...rights, ...workload, ...monitoring, ...policies]
  const changes = await planChanges(client, { objects: desired, force })
  const undesired = leftovers(await ownedObjects(client, settings), desired)
  return [
    ...changes,
    ...undesired.map((object): PlannedChange => ({ object, action: 'delete', differences: [] })),
  ]
}

interface Outcome {
  readonly plan: readonly PlannedChange[]
  readonly isDryRun: boolean
  /** Policies alone have no pods to wait for. */
  readonly hasPods?: boolean
  readonly rollout?: Rollout
}

function report(
  call: {
    readonly context: CommandContext
    readonly input: CommandInput
    readonly access: ClusterAccess
  },
  { plan, isDryRun, rollout, hasPods = true }: Outcome,
): ExitCode {
  const { terminal } = call.context
  const isFailed = rollout?.isDone === false
  if (call.input.has('json')) {
    const result = { cluster: call.access.title, isDryRun, objects: planJson(plan), rollout }
    terminal.print(JSON.stringify(result, undefined, 2))
    return isFailed ? exitCodes.failed : exitCodes.ok
  }
  if (isDryRun) terminal.printProgress('dry run: nothing was written')
  else if (!hasPods) terminal.print('deployed: policies need no pods')
  if (rollout?.isDone === true) terminal.print(`deployed: ${rollout.progress}`)
  if (isFailed) {
    const reasons = rollout.reasons.map((reason) => `\n  ${reason}`)
    throw new CommandError(
      `the operators are not running: ${rollout.progress}${reasons.join('')}`,
      {
        hint: 'all objects were applied; fix the problem and deploy again, or remove them with setpoint undeploy',
      },
    )
  }
  return exitCodes.ok
}

function noImage(): CommandError {
  return new CommandError('no image is set', {
    hint: 'use --image registry.example.com/app:1.0.0, or set it in package.json: "setpoint": { "image": ... }',
    exitCode: exitCodes.usage,
  })
}
