vim9script
# What the user writes about lines of a proposal. It goes to the agent with the decision.
#
# A comment is a dictionary with
#   id, text
#   buffer         the side that it is on
#   first, last    its lines, 1-based; they follow the text; 0 for one on all of the change

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/text.vim' as text_of
import autoload 'ide_companion/view.vim'

# The name of the signs and of the type of the texts.
const name = 'ide_companion_comment'
const highlight = 'MoreMsg'

# No line of input has it.
const cancelled = "\n"

# Where a line is after lines of its buffer were replaced. `change` is as a listener has it. Of replaced lines the
# first one of a comment stays inside of the new lines, and so does the last one.
def Moved(line: number, change: dict<any>, is_last: bool): number
  if line >= change.end
    return line + change.added
  elseif line < change.lnum
    return line
  endif
  const end = change.end - 1 + change.added
  return min([line, is_last ? end : max([change.lnum, end])])
enddef

def Follow(proposal: dict<any>, buffer: number, changes: list<dict<any>>)
  const here = proposal.comments->copy()->filter((_, comment) => comment.buffer == buffer)
  for comment in here
    for change in changes
      comment.first = Moved(comment.first, change, false)
      comment.last = max([comment.first, Moved(comment.last, change, true)])
    endfor
  endfor
  if !empty(here)
    # The texts of lines that went are gone with them. In a listener nothing may be drawn.
    timer_start(0, (_) => Draw(proposal))
  endif
enddef

# Lets comments follow the lines of the proposed text; the other one does not change.
export def Watch(proposal: dict<any>)
  listener_add((buffer, _, _, _, changes) => Follow(proposal, buffer, changes), proposal.proposed)
enddef

# Runs an action that loads the proposed text again. Comments keep the numbers of their lines.
export def WhileLoading(proposal: dict<any>, Load: func())
  const before = deepcopy(proposal.comments)
  Load()
  listener_flush(proposal.proposed)
  for index in range(len(before))
    extend(proposal.comments[index], before[index])
  endfor
  Draw(proposal)
enddef

# The first and the last line of a comment, as they stand.
def LinesOf(comment: dict<any>): list<number>
  listener_flush(comment.buffer)
  const end = getbufinfo(comment.buffer)[0].linecount
  return [min([comment.first, end]), min([comment.last, end])]
enddef

# The text of a comment, cut to the width of its window.
def RowsOf(comment: dict<any>): list<string>
  const info = getwininfo(win_findbuf(comment.buffer)[0])[0]
  var rest = Mark() .. ' ' .. substitute(comment.text, '[[:cntrl:]]', ' ', 'g')
  var rows: list<string> = []
  while rest != ''
    const part = printf('%.*S', max([2, info.width - info.textoff]), rest)
    const words = len(part) < len(rest) ? matchstr(part, '^.*\S\s\+\ze\S*$') : ''
    add(rows, words ?? part)
    rest = strpart(rest, len(rows[-1]))
  endwhile
  return rows
enddef

# The line of the other side that is next to a line.
def Opposite(proposal: dict<any>, buffer: number, line: number): number
  var by = 0
  for hunk in proposal.hunks
    const sides = [hunk.line, hunk.added, hunk.from, hunk.removed]
    const [here, size, there, other_size] = buffer == proposal.base ? sides[2 :] + sides[: 1] : sides
    if line < here
      break
    elseif line < here + size
      return there + min([line - here, other_size - 1])
    endif
    by = there + other_size - here - size
  endfor
  return line + by
enddef

# Draws a comment below its last line, with as many empty rows in the other side, if that is there: what belongs together
# stays side by side.
def DrawText(proposal: dict<any>, comment: dict<any>)
  const other = comment.buffer == proposal.base ? proposal.proposed : proposal.base
  const [line, rows] = [LinesOf(comment)[1], RowsOf(comment)]
  DrawBelow(comment.buffer, line, rows)
  if !empty(win_findbuf(other))
    DrawBelow(other, Opposite(proposal, comment.buffer, line), mapnew(rows, (_, _) => ' '))
  endif
enddef

# At line 0 above the first one.
def DrawBelow(buffer: number, line: number, rows: list<string>)
  const last = getbufinfo(buffer)[0].linecount
  for row in rows
    prop_add(max([1, min([line, last])]), 0, {bufnr: buffer, type: name, text: row, text_wrap: 'truncate',
      text_align: line == 0 ? 'above' : 'below'})
  endfor
enddef

def Mark(): string
  return &encoding == 'utf-8' ? '▎' : '>'
enddef

def Clear(buffer: number)
  sign_unplace(name, {buffer: buffer})
  if empty(prop_type_get(name, {bufnr: buffer}))
    prop_type_add(name, {bufnr: buffer, highlight: highlight})
  endif
  prop_remove({type: name, bufnr: buffer, all: true})
enddef

# Shows the comments on a proposal.
export def Draw(proposal: dict<any>)
  const sides = [proposal.proposed, proposal.base]->filter((_, buffer) => bufloaded(buffer) && !empty(win_findbuf(buffer)))
  if empty(proposal.view)
    return
  endif
  sign_define(name, {text: Mark(), texthl: highlight})
  for buffer in sides
    Clear(buffer)
  endfor
  const shown = proposal.comments->copy()->filter((_, one) => index(sides, one.buffer) >= 0)
  # In one window a sign would be next to the first of the lines that are shown above its line.
  for comment in proposal.view.base > 0 ? shown : []
    const [first, last] = LinesOf(comment)
    for line in range(max([1, first]), last)
      sign_place(0, name, name, comment.buffer, {lnum: line})
    endfor
  endfor
  for comment in shown
    DrawText(proposal, comment)
  endfor
enddef

# All comments on a proposal, as the companion takes them.
export def List(proposal: dict<any>): list<dict<any>>
  return proposal.comments->mapnew((_, comment) => ToSent(proposal, comment))
enddef

def ToSent(proposal: dict<any>, comment: dict<any>): dict<any>
  const [first, last] = LinesOf(comment)
  return {
    id: comment.id,
    side: comment.buffer == proposal.base ? 'original' : 'proposed',
    startLine: first,
    endLine: last,
    quote: getbufline(comment.buffer, first, last)->join("\n"),
    text: comment.text,
  }
enddef

# The comment that is on a line, or on exactly these lines; empty when there is none.
def At(proposal: dict<any>, buffer: number, first: number, last: number): dict<any>
  for comment in proposal.comments
    const [from, to] = LinesOf(comment)
    const is_on = first == last ? from <= first && first <= to : from == first && to == last
    if comment.buffer == buffer && is_on
      return comment
    endif
  endfor
  return {}
enddef

# An empty text deletes a comment.
def Write(proposal: dict<any>, comment: dict<any>, text: string)
  filter(proposal.comments, (_, other) => other.id != comment.id)
  comment.text = text
  if text != ''
    add(proposal.comments, comment)
  endif
  Show(proposal)
  if proposal.ended == ''
    server.Notify('companion/comments', {id: proposal.id, comments: List(proposal)})
  endif
enddef

# `companion/updateComments`: what the user has written about it in another view.
export def Update(params: dict<any>)
  var proposal = diff.WaitingFor(params.id)
  if empty(proposal)
    return
  endif
  filter(proposal.comments, (_, comment) => index(params.deleted, comment.id) < 0)
  for one in params.comments
    var here = proposal.comments->copy()->filter((_, comment) => comment.id == one.id)
    if empty(here)
      const buffer = one.side == 'original' ? proposal.base : proposal.proposed
      add(proposal.comments, {id: one.id, text: one.text, buffer: buffer, first: one.startLine, last: one.endLine})
    else
      here[0].text = one.text
    endif
  endfor
  Show(proposal)
enddef

def Show(proposal: dict<any>)
  Draw(proposal)
  view.Refresh(proposal)
enddef

def New(proposal: dict<any>, buffer: number, first: number, last: number): dict<any>
  proposal.comment_count += 1
  return {id: string(proposal.comment_count), text: '', buffer: buffer, first: first, last: last}
enddef

# Asks for a comment on lines of the side that the user is in. On a line that has one it changes that; an empty text
# deletes it.
export def Ask(proposal: dict<any>, first: number, last: number)
  const buffer = bufnr()
  if index([proposal.proposed, proposal.base], buffer) < 0
    say.Info('Go to a line of the proposal first: :IdeCompanion diff')
    return
  endif
  const known = At(proposal, buffer, first, last)
  const [from, to] = empty(known) ? [first, last] : LinesOf(known)
  const where = from == to ? 'line ' .. from : printf('lines %d-%d', from, to)
  const answer = inputdialog(printf('Comment on %s: ', where), get(known, 'text', ''), cancelled)
  redraw
  echo ''
  if answer == cancelled
    return
  elseif empty(diff.BySerial(proposal.serial)) || proposal.ended != ''
    # Meanwhile it was decided elsewhere.
    say.Warn(printf('The proposal has closed. Your comment is %s', text_of.Copy(answer)))
  elseif !empty(known) || trim(answer) != ''
    Write(proposal, empty(known) ? New(proposal, buffer, from, to) : known, trim(answer))
  endif
enddef

defcompile
