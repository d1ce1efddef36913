import { join } from 'node:path'
import type { Host } from 'setpoint/host'
import type { Project } from '../project/index.ts'
import { findProgram, nodeVersion } from '../system/index.ts'
import { version } from '../version.ts'
import { fine, type Finding, note, wrong } from './finding.ts'

/** Checks this machine and the packages of the project. */
export async function machineFindings(host: Host, project: Project): Promise<Finding[]> {
  const installed = await Promise.all(
    ['setpoint', '@setpoint/cluster', 'zod'].map(async (name) => ({
      name,
      found: await installedVersion(host, project.folder, name),
    })),
  )
  return [
    nodeFinding(nodeVersion()),
    ...installed.map(({ name, found }) => packageFinding(name, found)),
    (await findProgram(host, 'kubectl')) === undefined
      ? note(
          'kubectl',
          'kubectl is not installed',
          'use setpoint kubectl, or install it: https://kubernetes.io/docs/tasks/tools/',
        )
      : fine('kubectl', 'kubectl is installed'),
  ]
}

function nodeFinding(running: string): Finding {
  const [major = 0, minor = 0] = running.split('.').map(Number)
  const isEnough = major > 20 || (major === 20 && minor >= 19)
  return isEnough
    ? fine('node', `Node ${running}`)
    : wrong('node', `Node ${running} is too old`, 'install Node 20.19 or newer')
}

function packageFinding(name: string, found: string | undefined): Finding {
  if (found === undefined) {
    const kind = name === '@setpoint/cluster' ? ' --save-dev' : ''
    const message = `${name} is not installed`
    const fix = `npm install${kind} ${name}`
    return name === '@setpoint/cluster' ? note(name, message, fix) : wrong(name, message, fix)
  }
  if (name === 'zod') {
    return found.startsWith('4.')
      ? fine(name, `zod ${found}`)
      : wrong(name, `zod ${found} is not version 4`, 'npm install zod@4')
  }
  return found === version
    ? fine(name, `${name} ${found}`)
    : wrong(
        name,
        `${name} ${found} and @setpoint/cli ${version} have different versions`,
        `npm install ${name}@${version}`,
      )
}

/** The version that Node resolves from the project's folder. */
async function installedVersion(
  host: Host,
  folder: string,
  name: string,
): Promise<string | undefined> {
  for (let at = folder; ; at = join(at, '..')) {
    const path = join(at, 'node_modules', name, 'package.json')
    if ((await host.fileInfo(path)) !== undefined) {
      const text = new TextDecoder().decode(await host.readFile(path))
      return (JSON.parse(text) as { readonly version?: string }).version
    }
    if (join(at, '..') === at) return undefined
  }
}
