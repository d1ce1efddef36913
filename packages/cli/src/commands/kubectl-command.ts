import type { CommandDeclaration } from '../command/index.ts'

/** `setpoint kubectl`: declared here, done in kubectl/. */
export const kubectlCommand: CommandDeclaration = {
  name: 'kubectl',
  summary: 'run kubectl on the cluster of setpoint dev, also where none is installed',
  details: [
    'Runs the kubectl of this machine with everything that follows. The cluster is the one of --kubeconfig or KUBECONFIG, else',
    'the one that setpoint dev runs in this project; without any of them nothing is done. Where no kubectl is installed, a small one answers the commands that',
    'people need while they try an operator: get, describe, apply, create, delete, edit, patch, label, annotate, scale,',
    'rollout, wait, logs, api-resources, auth can-i and version.',
  ].join('\n'),
  options: [],
  examples: [
    { command: 'setpoint kubectl get all', what: 'what is in the cluster' },
    { command: 'setpoint kubectl apply -f sample.yaml', what: 'make what a file says' },
  ],
  isPassedThrough: true,
  isOrderly: true,
  load: async () => (await import('../kubectl/index.ts')).runKubectl,
}
