import type { CommandDeclaration } from '../command/index.ts'

/** Runs kubectl on the cluster of `setpoint dev`. */
export const kubectlCommand: CommandDeclaration = {
  name: 'kubectl',
  summary: 'run kubectl on the cluster of setpoint dev, even if kubectl is not installed',
  details: [
    'Runs the kubectl of this machine with all arguments. The cluster comes from --kubeconfig or KUBECONFIG, or else it is the',
    'cluster that setpoint dev runs in this project; without any of them the command fails. If kubectl is not installed,',
    'a built-in one runs the commands that are needed to try an operator: get, describe, apply, create, delete, edit,',
    'patch, label, annotate, scale, rollout, wait, logs, api-resources, auth can-i and version.',
  ].join('\n'),
  options: [],
  examples: [
    { command: 'setpoint kubectl get all', what: 'list the objects of the namespace' },
    { command: 'setpoint kubectl apply -f sample.yaml', what: 'apply a manifest' },
  ],
  isPassedThrough: true,
  stopsGracefully: true,
  load: async () => (await import('../kubectl/index.ts')).runKubectl,
}
