vim9script
# What the user writes about lines of a proposal. The companion stores it, and says on which lines it is as the text
# changes. It goes to the agent with the decision. A comment is as `companion/comments` has it.

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/draft.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/text.vim' as text_of
import autoload 'ide_companion/view.vim'

# The name of the signs and of the type of the texts.
const name = 'ide_companion_comment'
const highlight = 'MoreMsg'

# No line of input has it.
const cancelled = "\n"

# The buffer that a comment is on.
def BufferOf(proposal: dict<any>, comment: dict<any>): number
  return comment.side == 'original' ? proposal.base : proposal.proposed
enddef

# The text of a comment, cut to the width of its window.
def RowsOf(buffer: number, comment: dict<any>): list<string>
  const info = getwininfo(win_findbuf(buffer)[0])[0]
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

# Draws a comment below its last line, with as many empty rows in the other side, if that is there: what belongs together
# stays side by side.
def DrawText(proposal: dict<any>, comment: dict<any>)
  const buffer = BufferOf(proposal, comment)
  const other = buffer == proposal.base ? proposal.proposed : proposal.base
  const rows = RowsOf(buffer, comment)
  DrawBelow(buffer, comment.endLine, rows)
  if !empty(win_findbuf(other))
    DrawBelow(other, comment.across, mapnew(rows, (_, _) => ' '))
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
  const shown = proposal.comments->copy()->filter((_, one) => index(sides, BufferOf(proposal, one)) >= 0)
  # In one window a sign would be next to the first of the lines that are shown above its line.
  for comment in proposal.view.base > 0 ? shown : []
    for line in range(max([1, comment.startLine]), comment.endLine)
      sign_place(0, name, name, BufferOf(proposal, comment), {lnum: line})
    endfor
  endfor
  for comment in shown
    DrawText(proposal, comment)
  endfor
enddef

# `companion/comments`: all comments on a proposal, where they are now.
export def Take(params: dict<any>)
  final proposal = diff.WaitingFor(params.id)
  if !empty(proposal)
    proposal.comments = params.comments
    Draw(proposal)
    view.Refresh(proposal)
  endif
enddef

# The comment that is on a line, or on exactly these lines; empty when there is none.
def At(proposal: dict<any>, side: string, first: number, last: number): dict<any>
  for comment in proposal.comments
    const [from, to] = [comment.startLine, comment.endLine]
    const is_on = first == last ? from <= first && first <= to : from == first && to == last
    if comment.side == side && is_on
      return comment
    endif
  endfor
  return {}
enddef

# Has the companion store a comment; `params` are those of `companion/comment`.
def Write(proposal: dict<any>, params: dict<any>)
  const OnAnswer = (result) => {
    if result != null
      Take({id: proposal.id, comments: result.comments})
    elseif params.text != ''
      say.Warn(printf('The proposal has closed. Your comment is %s', text_of.Copy(params.text)))
    endif
  }
  if empty(diff.BySerial(proposal.serial)) || proposal.ended != ''
    # Meanwhile it was decided elsewhere.
    OnAnswer(null)
  else
    draft.Flush(proposal)
    server.Request('companion/comment', params, (result, _) => OnAnswer(result))
  endif
enddef

# Asks for a comment on lines of the side that the user is in. On a line that has one it changes that; an empty text
# deletes it.
export def Ask(proposal: dict<any>, first: number, last: number)
  const side = get({[proposal.proposed]: 'proposed', [proposal.base]: 'original'}, bufnr(), '')
  if side == ''
    say.Info('Go to a line of the proposal first: :IdeCompanion diff')
    return
  endif
  draft.Wait(proposal)
  const known = At(proposal, side, first, last)
  const [from, to] = empty(known) ? [first, last] : [known.startLine, known.endLine]
  const where = from == to ? 'line ' .. from : printf('lines %d-%d', from, to)
  const answer = inputdialog(printf('Comment on %s: ', where), get(known, 'text', ''), cancelled)
  redraw
  echo ''
  if answer != cancelled && (!empty(known) || trim(answer) != '')
    const params = {id: proposal.id, side: side, startLine: from, endLine: to, text: trim(answer)}
    Write(proposal, extendnew(params, empty(known) ? {} : {comment: known.id}))
  endif
enddef

defcompile
