/**
 * deploy/: `setpoint install`, `uninstall`, `deploy` and `undeploy`.
 *
 * `install` and `deploy` apply the objects that `generate/` computes from the loaded operators
 * (not from files, which may be outdated) under the field manager `setpoint`; `uninstall` and
 * `undeploy` delete them. All of them print a plan first.
 *
 * The commands find refusals, conflicts and missing permissions before the first write. They delete
 * objects of users only with `--delete-objects`, and other objects only if a command created them.
 */
export { runDeploy } from './run-deploy.ts'
export { runInstall } from './run-install.ts'
export { runUndeploy } from './run-undeploy.ts'
export { runUninstall } from './run-uninstall.ts'
