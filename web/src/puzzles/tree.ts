// The tree of a solution: the solver's action and a node for each reply.

export interface TreeNode {
  do: string;
  then?: Record<string, TreeNode>;
  /** For every reply that is not named. */
  else?: TreeNode;
}

/** All actions from the root on after some replies, the solver's last, and the node where the next reply is chosen. */
export function unfold(tree: TreeNode, replies: string[]): { actions: string[]; node: TreeNode } {
  const actions = [tree.do];
  let node = tree;
  for (const reply of replies) {
    const next = node.then?.[reply] ?? node.else;
    if (!next) break;
    actions.push(reply, next.do);
    node = next;
  }
  return { actions, node };
}

/** The replies that a node answers one by one. */
export function namedReplies(node: TreeNode): string[] {
  return Object.keys(node.then ?? {});
}
