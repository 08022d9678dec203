"""`rely lsp` as pytest-lsp sees it, which refuses what an editor has not said that it can take.

RELY=PROGRAM python -m pytest -W error::pytest_lsp.LspSpecificationWarning test_lsp.py
"""

import asyncio
import os
import random

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

URI = "file:///nowhere/diners.lts"
TEXT = """// The forks.
FORK = (get -> put -> FORK).
PHIL = (right.get -> left.get -> eat -> left.put -> right.put -> PHIL).
||DINERS(N=2) = forall[i:0..N-1] (phil[i]:PHIL || {phil[i].left, phil[((i-1)+N)%N].right}::FORK).
"""


@pytest_lsp.fixture(
    params=["visual-studio-code", "neovim", "emacs"],
    config=ClientServerConfig(server_command=[os.environ["RELY"], "lsp"]),
)
async def client(request, lsp_client: LanguageClient):
    # The server asks editors that can do so to ask for lenses again.
    lsp_client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda *_: None)
    answer = await lsp_client.initialize_session(
        types.InitializeParams(capabilities=client_capabilities(request.param), root_uri="file:///nowhere")
    )
    assert answer.capabilities.rename_provider
    yield
    await lsp_client.shutdown_session()


def opened(client, text=TEXT):
    item = types.TextDocumentItem(uri=URI, language_id="fsp", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))


def changed(client, version, *changes):
    document = types.VersionedTextDocumentIdentifier(uri=URI, version=version)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(text_document=document, content_changes=list(changes))
    )


def whole(text):
    return types.TextDocumentContentChangeWholeDocument(text=text)


def at(line, character):
    return {"text_document": types.TextDocumentIdentifier(uri=URI), "position": types.Position(line, character)}


async def diagnostics(client, is_wanted):
    """The diagnostics as soon as they are as they should be."""
    for _ in range(6000):
        found = client.diagnostics.get(URI)
        if found is not None and is_wanted(found):
            return found
        await asyncio.sleep(0.01)
    raise AssertionError(f"they stay {client.diagnostics.get(URI)}")


@pytest.mark.asyncio
async def test_names(client):
    opened(client)
    hover = await client.text_document_hover_async(types.HoverParams(**at(1, 1)))
    assert "2 states" in hover.contents.value
    definition = await client.text_document_definition_async(types.DefinitionParams(**at(3, 44)))
    found = definition[0] if isinstance(definition, list) else definition
    assert found.range.start == types.Position(2, 0)
    context = types.ReferenceContext(include_declaration=True)
    places = await client.text_document_references_async(types.ReferenceParams(context=context, **at(2, 1)))
    assert len(places) == 3
    edit = await client.text_document_rename_async(types.RenameParams(new_name="THINKER", **at(2, 1)))
    assert len(edit.changes[URI]) == 3
    proposals = await client.text_document_completion_async(types.CompletionParams(**at(2, 3)))
    items = proposals.items if isinstance(proposals, types.CompletionList) else proposals
    assert "FORK" in [item.label for item in items]
    document = types.TextDocumentIdentifier(uri=URI)
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert [symbol.name for symbol in symbols] == ["FORK", "PHIL", "DINERS"]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert len(tokens.data) % 5 == 0 and tokens.data
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(document)) is not None


@pytest.mark.asyncio
async def test_mistakes_and_fixes(client):
    opened(client, "P = (a => Q).\nQQ = (b -> QQ).\n")
    found = await diagnostics(client, lambda it: len(it) > 0)
    assert all(one.code and one.source for one in found)
    context = types.CodeActionContext(diagnostics=found)
    document = types.TextDocumentIdentifier(uri=URI)
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(text_document=document, range=found[0].range, context=context)
    )
    assert any(edit.new_text == "->" for action in actions for edit in action.edit.changes[URI])


@pytest.mark.asyncio
async def test_verdicts_are_never_fresh_for_another_text(client):
    opened(client)
    document = types.TextDocumentIdentifier(uri=URI)
    client.text_document_did_save(types.DidSaveTextDocumentParams(text_document=document))
    found = await diagnostics(client, lambda it: len(it) > 0)
    assert "deadlock" in found[0].message
    rng = random.Random(7)
    text, version = TEXT, 1
    for _ in range(60):
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.randrange(4))
        text = text[:start] + rng.choice(["", "(", "->", "é", "\n", "PHIL", "\U0001f600", "*/"]) + text[end:]
        version += 1
        changed(client, version, whole(text))
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
        for lens in lenses or []:
            title = lens.command.title
            assert title in ("check", "show trace") or title.startswith("stale:"), title
    version += 1
    changed(client, version, whole(TEXT))
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert "deadlock ✗ 2 steps" in lenses[0].command.title
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))
