import type { CommandDeclaration } from '../command/index.ts'
import { manifestFlags } from '../generate/manifest-flags.ts'
import { jsonOption, noTypeCheckOption, operatorsArgument } from './shared-options.ts'

/** Writes manifests for deployments with kubectl, kustomize or GitOps. */
export const generateCommand: CommandDeclaration = {
  name: 'generate',
  summary: 'write the manifests of the operators: CRDs, RBAC, Deployment, samples',
  details:
    'Checks the types with the TypeScript of the project, and the CEL expressions of rules, match conditions and policies. The files are generated from the operators and written to config/; `kubectl apply -k config` deploys them. Only ' +
    'changed files are written. Samples are written once and never overwritten. Defaults for the options are in ' +
    'package.json: "setpoint": { "image", "namespace", "replicas", "watch", "monitoring", "networkPolicy", "disruptionBudget", "installFile" }; ' +
    '"env", "envFrom", "resources", "pod", "volumeMounts", "podLabels" and "podAnnotations" are for the pods.',
  arguments: [operatorsArgument],
  options: [
    {
      name: 'check',
      summary:
        'write nothing; print files that are not up to date, and exit with 1 if there are any',
    },
    ...manifestFlags,
    {
      name: 'install-file',
      summary: 'also write all objects to install.yaml, for `kubectl apply --server-side -f`',
    },
    {
      name: 'output',
      short: 'o',
      value: 'DIR',
      summary: 'the folder to write to, instead of config',
    },
    noTypeCheckOption,
    jsonOption,
  ],
  examples: [
    { command: 'setpoint generate', what: 'write config/' },
    { command: 'setpoint generate --check', what: 'in CI: fail if config/ is not up to date' },
    {
      command: 'setpoint generate --image registry.example.com/app:1.2.0 --output dist',
      what: 'write the manifests of a release',
    },
  ],
  load: async () => (await import('../generate/index.ts')).runGenerate,
}
