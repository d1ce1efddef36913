import { nodeJournalFiles, type Host, type JournalFiles } from 'setpoint/host'
import { DataDirectory } from '../journal/index.ts'
import { isVirtual } from './is-virtual.ts'

/** Opens the directory with the state of a cluster, if it has one. */
export async function openData(
  host: Host,
  path: string | undefined,
): Promise<DataDirectory | undefined> {
  if (path === undefined) return undefined
  return DataDirectory.open(path, { host, journals: journalsOf(host) })
}

/** The files to which a cluster on this host appends. */
export function journalsOf(host: Host): JournalFiles {
  return isVirtual(host) ? host : nodeJournalFiles
}
