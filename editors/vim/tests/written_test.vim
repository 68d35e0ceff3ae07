vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Do = harness.Do
const Eval = harness.Eval
const Until = harness.Until
const Sent = harness.Sent

def Lines(changed: dict<string>): string
  return range(1, 40)->mapnew((_, number) => get(changed, number, 'line ' .. number) .. "\n")->join('')
enddef

const written = Lines({3: 'third', 10: "10a\n10b", 30: '30th'})
const third = {id: 'a', agent: 'Gemini CLI', line: 3, added: 1, removed: ['line 3']}
const tenth = {id: 'b', agent: 'Gemini CLI', line: 10, added: 2, removed: ['line 10']}
const gone = {id: 'c', agent: 'Gemini CLI', line: 20, added: 0, removed: ['old 1', 'old 2']}

def Tell(child: dict<any>, path: string, revision: string, hunks: list<dict<any>>)
  const params = {filePath: path, revision: revision, hunks: hunks}
  child.hunks[path] = params
  harness.SendToPlugin(child, {method: 'companion/writtenHunks', params: params})
enddef

# The part of the server: where hunks are in a buffer, which may have a line above them, and have the third line as before.
def Place(child: dict<any>, params: dict<any>): dict<any>
  const file: dict<any> = child.hunks[params.filePath]
  const shift = params.content =~ '^mine\n' ? 1 : 0
  child.placed[params.filePath] = copy(file.hunks)->filter((_, hunk) => hunk.id != 'a' || params.content =~ 'third')
    ->mapnew((_, hunk) => extendnew(hunk, {line: hunk.line + shift}))
  return extendnew(file, {hunks: child.placed[params.filePath]})
enddef

def LastOf(hunk: dict<any>): number
  return hunk.line + max([hunk.added, 1]) - 1
enddef

# It forgets hunks that are kept.
def Decide(child: dict<any>, params: dict<any>): dict<any>
  const all: list<dict<any>> = Place(child, params).hunks
  const inside = copy(all)->filter((_, hunk) => hunk.line <= params.lines.last && LastOf(hunk) >= params.lines.first)
  if empty(inside)
    return {line: params.lines.last}
  endif
  if params.action == 'keep'
    Tell(child, params.filePath, params.revision, copy(all)->filter((_, hunk) => index(inside, hunk) < 0))
  endif
  return extendnew(child.reverted, {line: min([params.lines.first, inside[0].line]) - 1})
enddef

def Next(child: dict<any>, params: dict<any>): dict<any>
  var file = has_key(params, 'content') ? Place(child, params) : {hunks: []}
  var found = copy(file.hunks)->filter((_, hunk) => params.by > 0 ? hunk.line > params.line : hunk.line < params.line)
  if empty(found)
    file = get(child.hunks, get(child.others, params.filePath, ''), file)
    found = file.hunks
  endif
  if empty(found)
    return {filePath: null, hunks: []}
  endif
  const target = found[params.by > 0 ? 0 : -1]
  return extendnew(file, {lines: {first: target.line, last: LastOf(target)}})
enddef

# A row of the list, with its hunks where they are in a buffer.
def InBuffer(child: dict<any>, row: dict<any>): dict<any>
  if !has_key(row, 'hunks') || !has_key(child.placed, row.filePath)
    return row
  endif
  const lines = copy(child.placed[row.filePath])->reduce((all, hunk) => extendnew(all, {[hunk.id]: hunk.line}), {})
  return extendnew(row, {hunks: copy(row.hunks)->filter((_, hunk) => has_key(lines, hunk.id))
    ->mapnew((_, hunk) => extendnew(hunk, {line: lines[hunk.id]}))})
enddef

# Opens a file that an agent has written. Returns its path.
def Open(child: dict<any>, hunks: list<dict<any>> = [third, tenth, gone], name = 'poem.txt'): string
  const path = harness.File(child, name, written)
  Do(child, 'edit ' .. path)
  if empty(child.sent)
    harness.Start(child)
  endif
  extend(child, {hunks: {}, placed: {}, others: {}, reverted: {}, InBuffer: (row) => InBuffer(child, row)})
  child.results['companion/placeHunks'] = (params) => Place(child, params)
  child.results['companion/decideHunks'] = (params) => Decide(child, params)
  child.results['companion/nextWritten'] = (params) => Next(child, params)
  Tell(child, path, 'r1', hunks)
  Until(child, 'sign_getplaced(bufnr(), #{group: "*"})[0].signs')
  return path
enddef

# What the screen shows in some rows, once it does.
def Rows(child: dict<any>, first: number, expected: list<string>)
  Until(child, 'execute("redraw") == ""')
  harness.Eventually(child, 'rows ' .. string(expected), () =>
    range(first, first + len(expected) - 1)->mapnew((_, row) => trim(term_getline(child.terminal, row), ' ', 2)) == expected)
enddef

# What the server lists: three hunks of the poem, but for some, one of another file, and a file that is gone.
def List(child: dict<any>, path: string, other: string, without: list<string> = [])
  const rest = copy([third, tenth, gone])->filter((_, hunk) => index(without, hunk.id) < 0)
  const hunks = rest->mapnew((_, hunk) =>
    ({id: hunk.id, line: hunk.line, text: printf('+%d −%d Gemini CLI: Count', hunk.added, len(hunk.removed))}))
  const row = {agent: 'Gemini CLI', text: 'modified: Count'}
  child.lists.written = [
    extendnew(row, {id: '1', filePath: path, label: 'poem.txt', hunks: hunks}),
    extendnew(row, {id: '2', filePath: other, label: 'other.txt', hunks: [{id: 'd', line: 5, text: '+1 −1 Gemini CLI: Count'}]}),
    extendnew(row, {id: '3', filePath: path .. '2', label: '2.txt', text: 'deleted, +0 −4: Count'}),
  ]
enddef

# The quickfix list, once it is so.
def Quickfix(child: dict<any>, expected: list<list<any>>)
  Until(child, printf('map(getqflist(), {_, item -> [item.module, item.lnum, item.text]}) == %s', string(expected)))
enddef

const [of_third, of_tenth, of_gone] = ['+1 −1', '+2 −1', '+0 −2']->mapnew((_, size) => size .. ' Gemini CLI: Count')
const of_others = [['other.txt', 5, of_third], ['2.txt', 0, 'Gemini CLI: deleted, +0 −4: Count']]

Test('the quickfix list has each hunk of all files, and a hunk that is kept leaves it', (child) => {
  const path = Open(child)
  const other = harness.File(child, 'other.txt', written)
  List(child, path, other)
  Keys(child, ":IdeCompanion written_hunks\<CR>")
  Until(child, '&buftype == "quickfix" && w:quickfix_title == "The list"')
  Quickfix(child, [['poem.txt', 3, of_third], ['poem.txt', 10, of_tenth], ['poem.txt', 20, of_gone]] + of_others)
  Keys(child, "j\<CR>")
  Until(child, printf('expand("%%:p") == %s && line(".") == 10', string(path)))
  List(child, path, other, ['b'])
  Keys(child, ":IdeCompanion keep\<CR>")
  Quickfix(child, [['poem.txt', 3, of_third], ['poem.txt', 20, of_gone]] + of_others)
  Until(child, 'line(".") == 20')
  Keys(child, ":cnext\<CR>")
  Until(child, printf('expand("%%:p") == %s && line(".") == 5', string(other)))
  # Another list of the user stays.
  Do(child, 'edit ' .. path)
  Do(child, printf('call setqflist([#{filename: %s, lnum: 2, text: "found"}])', string(path)))
  List(child, path, other, ['a', 'b', 'c'])
  Tell(child, path, 'r2', [])
  Until(child, 'sign_getplaced(bufnr(), #{group: "*"})[0].signs == []')
  Same(Eval(child, 'len(getqflist())'), 1)
})

Test('a hunk that is reverted and not saved is not in the quickfix list, and undo brings it back', (child) => {
  const path = Open(child)
  List(child, path, harness.File(child, 'other.txt', written))
  const mine = "mine\n" .. written
  Keys(child, "ggOmine\<Esc>")
  Rows(child, 3, ['  line 2', '  line 3', '~ third'])
  Keys(child, ":IdeCompanion written_hunks\<CR>")
  Until(child, '&buftype == "quickfix"')
  const placed = [['poem.txt', 11, of_tenth], ['poem.txt', 21, of_gone]] + of_others
  Quickfix(child, [['poem.txt', 4, of_third]] + placed)
  child.reverted = {content: substitute(mine, 'third', 'line 3', ''), edits: [{line: 4, added: 1, from: 4, removed: 1}]}
  Keys(child, ":wincmd p\<CR>:4IdeCompanion revert\<CR>")
  Quickfix(child, placed)
  Keys(child, 'u')
  Quickfix(child, [['poem.txt', 4, of_third]] + placed)
})

Test('where agents wrote nothing, the command for their hunks says so, and no window opens', (child) => {
  harness.Start(child)
  Keys(child, ":IdeCompanion written_hunks\<CR>")
  Until(child, 'execute("messages") =~ "There is nothing." && winnr("$") == 1')
})

Test('what an agent wrote has signs, and the lines from before stand above it', (child) => {
  Open(child)
  Rows(child, 2, ['  line 2', '  line 3', '~ third', '  line 4'])
  Rows(child, 10, ['  line 9', '  line 10', '~ 10a', '~ 10b', '  line 11'])
  Rows(child, 21, ['  line 18', '  old 1', '  old 2', '- line 19'])
  Same(Eval(child, '&modified'), 0)
})

Test('marks are there again after the file was read once more, and after it was closed for a while', (child) => {
  const path = Open(child)
  Keys(child, "ggOmine\<Esc>:e!\<CR>")
  Rows(child, 2, ['  line 2', '  line 3', '~ third', '  line 4'])
  Keys(child, ":bunload\<CR>:edit " .. path .. "\<CR>")
  Rows(child, 2, ['  line 2', '  line 3', '~ third', '  line 4'])
})

Test('many lines from before are cut, and a new file is marked as a whole', (child) => {
  Open(child, [{id: 'a', agent: 'Gemini CLI', line: 1, added: 1, removed: split(repeat("x\n", 20), "\n")}])
  Rows(child, 12, ['  x', '  … and 8 more lines', '  line 1'])
  Open(child, [{id: 'a', agent: 'Gemini CLI', line: 1, added: 41, removed: []}], 'new.txt')
  Rows(child, 1, ['+ line 1', '+ line 2'])
})

Test('keeping a hunk goes on to the next one, and from the last one to the next file', (child) => {
  const path = Open(child)
  const other = harness.File(child, 'other.txt', written)
  child.hunks[other] = {filePath: other, revision: 'r2',
    hunks: [extendnew(third, {id: 'd', removed: []}), extendnew(third, {id: 'e', line: 9})]}
  child.others = {[path]: other, [other]: path}
  Keys(child, ":IdeCompanion next_written\<CR>")
  Until(child, 'line(".") == 3')
  Keys(child, ":IdeCompanion keep\<CR>")
  Until(child, 'line(".") == 10')
  Rows(child, 2, ['  line 2', '  third', '  line 4'])
  Keys(child, ":IdeCompanion previous_written\<CR>")
  Until(child, printf('expand("%%:p") == %s && line(".") == 9', string(other)))
  Keys(child, ":IdeCompanion previous_written\<CR>")
  Until(child, 'line(".") == 3')
  Keys(child, ":IdeCompanion previous_written\<CR>")
  Until(child, printf('expand("%%:p") == %s && line(".") == 20', string(path)))
  Keys(child, ":10,$IdeCompanion keep\<CR>")
  Until(child, printf('expand("%%:p") == %s && line(".") == 3', string(other)))
  Same(Sent(child, 'companion/decideHunks'), [
    {filePath: path, revision: 'r1', action: 'keep', lines: {first: 3, last: 3}, content: written},
    {filePath: path, revision: 'r1', action: 'keep', lines: {first: 10, last: 41}, content: written},
  ])
  Keys(child, ":%IdeCompanion keep\<CR>")
  Until(child, 'execute("messages") =~ "Nothing else that an agent wrote"')
})

Test('a hunk is reverted in a buffer with unsaved edits, and the editor''s own undo brings it back', (child) => {
  const path = Open(child)
  const mine = "mine\n" .. written
  Keys(child, "ggOmine\<Esc>")
  Rows(child, 3, ['  line 2', '  line 3', '~ third'])
  const edits = [{line: 4, added: 1, from: 4, removed: 1}]
  child.reverted = {content: substitute(mine, 'third', 'line 3', ''), edits: edits}
  Keys(child, ":4IdeCompanion revert\<CR>")
  Until(child, 'getline(4) == "line 3" && line(".") == 11')
  Same(Sent(child, 'companion/decideHunks'), [
    {filePath: path, revision: 'r1', action: 'revert', lines: {first: 4, last: 4}, content: mine},
  ])
  Rows(child, 3, ['  line 2', '  line 3', '  line 4'])
  # The server still knows it: it is not saved.
  Tell(child, path, 'r1', [third, tenth, gone])
  Rows(child, 3, ['  line 2', '  line 3', '  line 4'])
  Keys(child, 'u')
  Rows(child, 3, ['  line 2', '  line 3', '~ third'])
  Keys(child, 'u')
  Until(child, '!&modified')
  Rows(child, 2, ['  line 2', '  line 3', '~ third'])
  Same(readfile(path), split(written, "\n"))
})

Test('why a revert is refused is a message, and nothing changes', (child) => {
  Open(child)
  Rows(child, 3, ['  line 3', '~ third'])
  Do(child, 'IdeCompanion stop')
  Until(child, 'ide_companion#server#IsRunning() == v:false')
  Keys(child, ":3IdeCompanion revert\<CR>")
  Until(child, 'execute("messages") =~ "The companion is not running"')
  Rows(child, 3, ['  line 3', '~ third'])
})

Test('unsaved edits stay when their file is written without a question, which is said once, and :w overwrites nothing', (child) => {
  const path = harness.File(child, 'poem.txt', Lines({}))
  Do(child, 'edit ' .. path)
  harness.Start(child)
  Keys(child, "ggOmine\<Esc>")
  const news = extend({id: '', agent: 'Gemini CLI', filePath: path, label: 'poem.txt'},
    {isNew: false, isWritten: true, before: Lines({})})
  const News = () => harness.SendToPlugin(child, {method: 'companion/fileWritten', params: news})
  News()
  Same(Eval(child, 'execute("messages") =~ "has written"'), 0)
  harness.File(child, 'poem.txt', written)
  News()
  Until(child, 'execute("messages") =~ "Gemini CLI has written poem.txt.*:IdeCompanion merge"')
  Keys(child, ":w\<CR>")
  Same(readfile(path)[2], 'third')
  child.results['companion/merge'] = {content: "mine\n" .. written, isClean: true, edits: []}
  Keys(child, ":IdeCompanion merge\<CR>")
  Until(child, 'getline(4) == "third"')
  Same(Sent(child, 'companion/merge'), [{filePath: path, before: Lines({}), content: "mine\n" .. Lines({})}])
  Keys(child, ":w\<CR>")
  Until(child, '!&modified')
  Same(readfile(path)[: 3], ['mine', 'line 1', 'line 2', 'third'])
})
