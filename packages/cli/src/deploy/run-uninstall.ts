import { accessCluster, confirmWrites } from '../access/index.ts'
import { type RunCommand } from '../command/index.ts'
import { definitionsOf } from '../generate/index.ts'
import { loadOperators } from '../project/index.ts'
import { deleteDefinitions, deleteObjects } from './delete-resources.ts'
import { timeoutMs } from './duration-option.ts'
import { definitionDeletions, reportRemoval, showRemoval } from './removal.ts'
import { installedResources, objectsLeftError, resourceCounts } from './plan/resource-counts.ts'
import { waitForChildren } from './wait-for-children.ts'

/** `setpoint uninstall`: deletes the CRDs of the operators, unless they have objects. */
export const runUninstall: RunCommand = async (context, input) => {
  const { operators } = await loadOperators(context, input.arguments[0])
  const limitMs = timeoutMs(input)
  const access = await accessCluster(context, input)
  const { client } = access
  const resources = await installedResources(client, definitionsOf(operators))
  const counts = await resourceCounts(client, resources)
  const objects = definitionDeletions(resources)
  const removal = { cluster: access.title, objects, counts, notes: [], word: 'uninstalled' }
  if (counts.length > 0 && !input.has('delete-objects')) {
    reportRemoval(context, input, { ...removal, isDone: false })
    throw objectsLeftError(counts, '')
  }
  showRemoval(context, input, removal)
  if (input.has('dry-run') || resources.length === 0) {
    reportRemoval(context, input, { ...removal, isDone: false })
    return undefined
  }
  await confirmWrites(context, input, { access, what: 'uninstall these CRDs' })
  const deletion = { client, resources, timeoutMs: limitMs }
  await deleteObjects(context, deletion)
  await waitForChildren(context, { ...deletion, operators })
  await deleteDefinitions(context, deletion)
  reportRemoval(context, input, { ...removal, isDone: true })
  return undefined
}
