;;; ide-companion-comments.el --- Comments on lines of proposals  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What the user writes about lines of a proposal.  The program stores it, says
;; on which lines it is as the text changes, and gives it to the agent with the
;; decision.  A comment is a property list, as `companion/comments' has it.

;;; Code:

(eval-when-compile
  (require 'cl-lib)
  (require 'subr-x))
(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-rpc)
(require 'ide-companion-selection)
(require 'ide-companion-text)

(defun ide-companion--comment-string (text sign)
  "TEXT of a comment as it is shown below its lines, with SIGN."
  (let* ((lines (split-string text "\n"))
         (shown (propertize (concat " " (mapconcat (lambda (line) (concat "\n" sign line)) lines ""))
                            'face 'ide-companion-comment
                            'line-prefix "")))
    ;; At the end of the line the cursor stands on the blank before the comment.
    (put-text-property 0 1 'cursor t shown)
    shown))

(defun ide-companion--draw-comment (comment)
  "Show COMMENT at its lines in this buffer."
  (pcase-let* ((first (plist-get comment :startLine))
               (last (max 1 (plist-get comment :endLine)))
               (begin (ide-companion--line-position (max 1 first)))
               (end (save-excursion
                      (goto-char (ide-companion--line-position last))
                      (line-end-position)))
               (sign (if (char-displayable-p ?▎) "▎" "|"))
               (overlay (make-overlay begin end nil t t)))
    (overlay-put overlay 'ide-companion-comment t)
    (overlay-put overlay 'line-prefix (propertize sign 'face 'ide-companion-comment))
    (overlay-put overlay 'after-string (ide-companion--comment-string (plist-get comment :text) sign))))

(defun ide-companion--draw-comments (proposal)
  "Show the comments on PROPOSAL at their lines."
  (pcase-dolist (`(,side ,buffer) (list (list "proposed" (ide-companion--proposal-buffer proposal))
                                        (list "original" (ide-companion--proposal-base proposal))))
    (when (buffer-live-p buffer)
      (with-current-buffer buffer
        (save-restriction
          (widen)
          (remove-overlays (point-min) (point-max) 'ide-companion-comment t)
          (dolist (comment (ide-companion--proposal-comments proposal))
            (when (equal side (plist-get comment :side))
              (ide-companion--draw-comment comment))))))))

(add-hook 'ide-companion--compared-functions #'ide-companion--draw-comments)

(defun ide-companion--take-comments (params)
  "`companion/comments' with PARAMS: all on a proposal, where they are now."
  (let ((proposal (ide-companion--expect params)))
    (setf (ide-companion--proposal-comments proposal) (append (plist-get params :comments) nil))
    (ide-companion--draw-comments proposal)
    (force-mode-line-update t)))

(defun ide-companion--comment-at (proposal side first last)
  "The comment on PROPOSAL that is on the lines FIRST to LAST of SIDE.
For a single line, a comment whose lines include it."
  (seq-find (lambda (comment)
              (let ((from (plist-get comment :startLine)) (to (plist-get comment :endLine)))
                (and (equal side (plist-get comment :side))
                     (if (= first last)
                         (<= from first to)
                       (and (= from first) (= to last))))))
            (ide-companion--proposal-comments proposal)))

(defun ide-companion--takes-comments-p (proposal)
  "Whether an agent waits for what the user writes about PROPOSAL."
  (and (memq proposal ide-companion--proposals)
       (ide-companion--ready-p)))

(defun ide-companion--commented ()
  "The proposal whose text, or the text on disk, is the current buffer."
  (let ((proposal ide-companion--proposal))
    (unless (and proposal (memq (current-buffer) (list (ide-companion--proposal-buffer proposal)
                                                       (ide-companion--proposal-base proposal))))
      (user-error "Go to a line of a proposal first: M-x ide-companion-next-proposal"))
    (unless (ide-companion--takes-comments-p proposal)
      (user-error "No agent waits for this any more"))
    proposal))

(defun ide-companion--read-comment (lines text)
  "Ask for a comment on LINES, the first and the last.  It is TEXT so far."
  (string-trim
   (read-string (pcase lines
                  (`(,line ,(pred (= line))) (format "Comment on line %d: " line))
                  (`(,first ,last) (format "Comment on lines %d-%d: " first last)))
                text)))

(defun ide-companion--write-comment (proposal params)
  "Have the program store a comment on PROPOSAL: PARAMS of `companion/comment'."
  (let ((answer (and (ide-companion--takes-comments-p proposal)
                     (ide-companion--fetch :companion/comment params))))
    (cond
     (answer
      (ide-companion--take-comments (append (list :id (plist-get params :id)) answer)))
     ((not (string-empty-p (plist-get params :text)))
      (ide-companion--say "No agent waits for this any more; your comment is %s"
                          (ide-companion--copy (plist-get params :text)))))))

(defun ide-companion-comment (first last)
  "Comment on the lines FIRST to LAST of a proposal.
Interactively, use the lines of the region, or the current line.
Where a comment is, change it; an empty text deletes it.
\\<ide-companion-proposal-mode-map>\\[ide-companion-say-why] and \\[ide-companion-ask-more] \
send all comments to the agent."
  (interactive (ide-companion--selected-lines))
  (let* ((proposal (ide-companion--commented))
         (side (if (eq (current-buffer) (ide-companion--proposal-base proposal)) "original" "proposed"))
         (known (progn
                  (ide-companion--compare proposal)
                  (ide-companion--comment-at proposal side first last)))
         (lines (if known (list (plist-get known :startLine) (plist-get known :endLine)) (list first last)))
         (text (ide-companion--read-comment lines (plist-get known :text))))
    (deactivate-mark)
    (when (or known (not (string-empty-p text)))
      (ide-companion--write-comment
       proposal
       (append (list :id (ide-companion--proposal-id proposal) :side side
                     :startLine (car lines) :endLine (cadr lines) :text (ide-companion--unicode text))
               (and known (list :comment (plist-get known :id))))))))

(provide 'ide-companion-comments)
;;; ide-companion-comments.el ends here
