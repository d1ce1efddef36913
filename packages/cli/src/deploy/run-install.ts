import { accessCluster, confirmWrites } from '../access/index.ts'
import type { RunCommand } from '../command/index.ts'
import { loadOperators } from '../project/index.ts'
import { definitionsOf, manifestSettings } from '../generate/index.ts'
import { applyChanges } from './apply-changes.ts'
import { definitionObjects, untilServed } from './plan/definition-plan.ts'
import { planChanges } from './plan/plan-changes.ts'
import { hasWrites, planJson, showPlan } from './plan/show-plan.ts'

/** `setpoint install`: applies the CRDs of the operators. */
export const runInstall: RunCommand = async (context, input) => {
  const { terminal } = context
  const { project, operators } = await loadOperators(context, input.arguments[0])
  const access = await accessCluster(context, input)
  const { client } = access
  const force = input.has('force-conflicts')
  const isDryRun = input.has('dry-run')
  const objects = await definitionObjects(client, operators, {
    settings: manifestSettings(project, {}),
  })
  const plan = await planChanges(client, { objects, force })
  showPlan(context, input, plan)
  if (!isDryRun && hasWrites(plan)) {
    await confirmWrites(context, input, { access, what: 'install these CRDs' })
    await applyChanges(client, plan, force)
  }
  if (!isDryRun) await untilServed(context, client, definitionsOf(operators))
  if (input.has('json')) {
    const report = { cluster: access.title, isDryRun, objects: planJson(plan) }
    terminal.print(JSON.stringify(report, undefined, 2))
  } else if (isDryRun) terminal.printProgress('dry run: nothing was written')
  else terminal.print(plan.length === 0 ? 'nothing to install' : 'the CRDs are installed')
  return undefined
}
