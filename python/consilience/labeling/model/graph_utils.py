"""Clique trees of dependency graphs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from consilience._optional import require


def get_clique_tree(nodes: Iterable[int], edges: Iterable[tuple[int, int]]) -> Any:
    """Return the clique tree of a chordal graph: a networkx graph whose nodes are the maximal cliques.

    The cliques are numbered in the order of their smallest members; `members` of a node is the clique, `members` of an edge
    is the intersection of its two cliques. A graph that is not chordal raises a NotImplementedError: add edges until every
    cycle of four or more has a chord.

    Examples
    --------
    >>> tree = get_clique_tree(range(4), [(0, 1), (1, 2), (0, 2)])
    >>> [sorted(members) for _, members in tree.nodes(data="members")]
    [[0, 1, 2], [3]]
    """
    nx = require("networkx", "get_clique_tree")
    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    if not nx.is_chordal(graph):
        raise NotImplementedError("Graph triangulation not implemented, and the graph is not chordal; add chords to its cycles")
    cliques = sorted((frozenset(clique) for clique in nx.chordal_graph_cliques(graph)), key=sorted)
    joined = nx.Graph()
    joined.add_nodes_from((i, {"members": set(clique)}) for i, clique in enumerate(cliques))
    for (i, first), (j, second) in combinations(enumerate(cliques), 2):
        if common := first & second:
            joined.add_edge(i, j, weight=len(common), members=set(common))
    # Only the tree with the largest separators has the running intersection property.
    return nx.maximum_spanning_tree(joined)
