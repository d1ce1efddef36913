import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Command } from '../operator/measured-program.ts'

/** A server to measure; `env` has its address and its certificate. */
interface WebhookProgram {
  readonly name: string
  readonly version: string
  readonly command: Command
  readonly env: (place: ServedPlace) => Readonly<Record<string, string>>
}

/** Where a server listens, and what it reads. */
interface ServedPlace {
  readonly port: number
  /** A folder with `tls.crt`, `tls.key` and `ca.crt`. */
  readonly certificates: string
  readonly kubeconfig: string
}

/** The path of the webhook in all programs. */
export const webhookPath = '/validate/applications.bench.example.com/rules'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Bundled and minified, as in an image. */
export async function buildSetpointWebhooks(folder: string, node: string): Promise<WebhookProgram> {
  const outfile = join(folder, 'webhooks.mjs')
  await build({
    entryPoints: [join(here, 'setpoint/webhooks.ts')],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@setpoint/source', 'module'],
  })
  const manifest = readFileSync(join(here, '../../packages/setpoint/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  return {
    name: 'setpoint',
    version,
    command: { file: node, args: [outfile] },
    env: ({ port, certificates, kubeconfig }) => ({
      KUBECONFIG: kubeconfig,
      LISTEN_HOST: '127.0.0.1',
      WEBHOOKS_URL: `https://127.0.0.1:${port}`,
      WEBHOOKS_PORT: String(port),
      WEBHOOKS_CERTIFICATES: certificates,
    }),
  }
}

/** The server of controller-runtime, and the client that measures both. */
export function buildGoPrograms(folder: string): {
  readonly server: WebhookProgram
  readonly client: string
} {
  const cwd = join(here, 'controller-runtime')
  execFileSync('go', ['build', '-buildvcs=false', '-o', `${folder}/`, './server', './client'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const module = readFileSync(join(cwd, 'go.mod'), 'utf8')
  const version = /controller-runtime v(\S+)/.exec(module.replace(/^module .*/, ''))?.[1] ?? ''
  const go = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim()
  return {
    server: {
      name: 'controller-runtime',
      version: `${version} (${go})`,
      command: { file: join(folder, 'server'), args: [] },
      env: ({ port, certificates }) => ({
        PORT: String(port),
        CERTIFICATES: certificates,
        WEBHOOK_PATH: webhookPath,
      }),
    },
    client: join(folder, 'client'),
  }
}
