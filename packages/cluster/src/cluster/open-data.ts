import { nodeJournalFiles, type Host } from 'setpoint/host'
import { DataDirectory } from '../journal/index.ts'
import { isVirtual } from './is-virtual.ts'

/** Opens the directory with the state of a cluster, if it has one. */
export async function openData(
  host: Host,
  path: string | undefined,
): Promise<DataDirectory | undefined> {
  if (path === undefined) return undefined
  const journals = isVirtual(host) ? host : nodeJournalFiles
  return DataDirectory.open(path, { host, journals })
}
