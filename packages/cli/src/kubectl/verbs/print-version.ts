import { version as ownVersion } from '../../version.ts'
import type { KubectlSession } from '../kubectl-session.ts'

/** `kubectl version`: prints the versions of this client and the server. */
export async function version(session: KubectlSession): Promise<void> {
  session.print(`Client Version: setpoint ${ownVersion}`)
  const text = await session.client.transport.text({
    method: 'GET',
    path: '/version',
    what: 'version of the server',
  })
  const { gitVersion = '' } = JSON.parse(text) as { gitVersion?: string }
  session.print(`Server Version: ${gitVersion}`)
}
