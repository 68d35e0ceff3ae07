vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys

# A file on disk, and two decisions about it.
def Decide(child: dict<any>, rewrite: dict<any>): string
  harness.Start(child)
  const path = harness.File(child, 'a.ts', "one\n2nd\n")
  const decision = {agent: 'Gemini CLI', filePath: path, label: 'src/a.ts', at: 1767225600000, actions: [
    {code: 'show', name: 'shows'}, {code: 'undo', name: 'undoes'}, {code: 'reapply', name: 'puts it in'}]}
  child.lists.history = [extend({id: 'a', text: 'accepted'}, decision), extend({id: 'b', text: 'rejected'}, decision)]
  const put = has_key(rewrite, 'content') ? {put: extend({filePath: path, what: 'your version', onlySaved: true}, rewrite)}
    : rewrite
  child.acts = {
    show: {compare: {label: 'src/a.ts', patch: " one\n-second\n+2nd\n"}},
    undo: put,
    reapply: put,
  }
  return path
enddef

Test('an earlier decision opens as a diff, and undoing it is an unsaved change of the file', (child) => {
  const path = Decide(child, {content: "one\nsecond\nlast\n"})
  Keys(child, ':IdeCompanion history\<CR>')
  harness.Eventually(child, 'the list', () => harness.Screen(child) =~ 'src/a.ts  Gemini CLI, .*: rejected')
  Keys(child, '\<CR>')
  harness.Until(child, 'tabpagenr("$") == 2')
  Same(harness.SentSo(child, 'companion/act', 1), [{list: 'history', id: 'a', action: 'show'}])
  Same(harness.Eval(child, '[bufname(), &filetype, getline(1, "$")]'), ['Diff: a.ts', 'diff', [' one', '-second', '+2nd']])
  Same(harness.Screen(child) =~ 'u undoes.*p puts it in.*q closes', true)
  Keys(child, 'u')
  harness.Until(child, 'expand("%:p") == ' .. string(path))
  Same(harness.SentSo(child, 'companion/act', 2)[1], {list: 'history', id: 'a', action: 'undo'})
  Same(harness.Eval(child, '[tabpagenr("$"), &modified, getline(1, "$")]'), [1, 1, ['one', 'second', 'last']])
  Same(readfile(path), ['one', '2nd'])
})

Test('the version of the user comes into the file again, but not over unsaved changes', (child) => {
  const path = Decide(child, {content: "mine\n"})
  harness.Do(child, 'edit ' .. path)
  harness.Do(child, 'call setline(1, "typed")')
  Keys(child, ':IdeCompanion history accepted\<CR>')
  harness.Until(child, 'tabpagenr("$") == 2')
  Keys(child, 'p')
  harness.Until(child, 'execute("messages") =~ "src/a.ts has unsaved changes: write them first"')
  harness.Do(child, 'tabfirst | write')
  harness.Do(child, 'tablast')
  Keys(child, 'p')
  harness.Until(child, 'getline(1, "$") == ["mine"]')
  Same(harness.SentSo(child, 'companion/act', 3)[2], {list: 'history', id: 'a', action: 'reapply'})
})

Test('what cannot be undone says why', (child) => {
  Decide(child, {message: 'The file has changed since in the same places: undo it by hand.'})
  Keys(child, ':IdeCompanion history accepted\<CR>')
  harness.Until(child, 'tabpagenr("$") == 2')
  Keys(child, 'u')
  harness.Until(child, 'execute("messages") =~ "The file has changed since in the same places"')
  Same(harness.Eval(child, 'tabpagenr("$")'), 2)
  Keys(child, 'q')
  Same(harness.Eval(child, 'tabpagenr("$")'), 1)
})

Test('who closes an earlier decision is where they were, also with other tabs behind it', (child) => {
  Decide(child, {content: "mine\n"})
  harness.Propose(child)
  Keys(child, ':IdeCompanion history accepted\<CR>')
  harness.Until(child, 'tabpagenr("$") == 3')
  Keys(child, 'q')
  Same(harness.Eval(child, '[tabpagenr(), tabpagenr("$")]'), [1, 2])
})
