;;; ide-companion-hunks.el --- Line differences between two buffers  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A hunk is (BASE-START BASE-COUNT START COUNT): lines of what is on disk
;; and of the proposal, counted from 1.  When COUNT is 0, START is the line
;; before the hunk.

;;; Code:

(eval-when-compile
  (require 'subr-x))
(require 'ide-companion-log)

(defun ide-companion--lines (buffer)
  "How many lines BUFFER has; text after the last newline is one."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (count-lines (point-min) (point-max)))))

(defun ide-companion--run-diff (old new &rest options)
  "What diff prints with OPTIONS for OLD and NEW; nil without the program."
  (let ((program (or (bound-and-true-p diff-command) "diff")))
    (when (executable-find program)
      (let ((file (make-temp-file "ide-companion-"))
            (default-directory temporary-file-directory)
            (coding-system-for-write 'utf-8-emacs-unix)
            (coding-system-for-read 'utf-8-emacs-unix)
            (process-environment (cons "LC_ALL=C" process-environment)))
        (unwind-protect
            (with-temp-buffer
              (write-region old nil file nil 'silent)
              (when (memq (apply #'call-process-region new nil program nil t nil "-a"
                                   (append options (list file "-")))
                            '(0 1))
                (buffer-string)))
          (delete-file file))))))

(defconst ide-companion--diff-head
  (let ((lines "\\([0-9]+\\)\\(?:,\\([0-9]+\\)\\)?"))
    (concat "^" lines "\\([acd]\\)" lines "$"))
  "The line that diff prints before a change, for example `3,4c5'.")

(defun ide-companion--parse-diff (text)
  "The hunks in TEXT, which diff has printed."
  (let ((start 0) hunks)
    (while (string-match ide-companion--diff-head text start)
      (setq start (match-end 0))
      (let* ((number (lambda (group)
                       (and (match-string group text)
                            (string-to-number (match-string group text)))))
             (old (funcall number 1)) (old-end (or (funcall number 2) old))
             (new (funcall number 4)) (new-end (or (funcall number 5) new))
             (kind (match-string 3 text)))
        (push (list old (if (equal kind "a") 0 (1+ (- old-end old)))
                    new (if (equal kind "d") 0 (1+ (- new-end new))))
              hunks)))
    (nreverse hunks)))

(defun ide-companion--hunks (base buffer)
  "What differs in the texts of BASE and BUFFER, as a list."
  (let* ((text (lambda (from)
                 (with-current-buffer from
                   (save-restriction
                     (widen)
                     (buffer-substring-no-properties (point-min) (point-max))))))
         (old (funcall text base))
         (new (funcall text buffer))
         (lines (ide-companion--lines buffer))
         (base-lines (ide-companion--lines base)))
    (cond
     ((equal old new) nil)
     ((string-empty-p old) (list (list 0 0 1 lines)))
     ((string-empty-p new) (list (list 1 base-lines 0 0)))
     (t
      (let ((printed (ide-companion--run-diff old new)))
        (if printed
            (ide-companion--parse-diff printed)
          (list (list 1 base-lines 1 lines))))))))

(defvar ide-companion--found-lines nil
  "Where a line was found last in each buffer: (LINE . POSITION) by buffer.
It is nil when texts may change.")

(defmacro ide-companion--with-found-lines (&rest body)
  "Evaluate BODY, and find each line in it from the one found before.
The texts stay as they are meanwhile."
  (declare (indent 0) (debug t))
  `(let ((ide-companion--found-lines (make-hash-table :test #'eq)))
     ,@body))

(defun ide-companion--line-position (line)
  "The position of LINE in the current buffer, or the end of the buffer."
  (save-restriction
    (widen)
    (save-excursion
      (pcase-let ((`(,from . ,position)
                   (or (and ide-companion--found-lines
                            (gethash (current-buffer) ide-companion--found-lines))
                       (cons 1 (point-min)))))
        (goto-char position)
        ;; The end of a last line without a newline begins no line.
        (when (and (zerop (forward-line (- line from))) (bolp) ide-companion--found-lines)
          (puthash (current-buffer) (cons line (point)) ide-companion--found-lines)))
      (point))))

(defun ide-companion--lines-region (start count)
  "The region of COUNT lines from the line START: (BEGIN . END)."
  (let ((begin (ide-companion--line-position (if (zerop count) (1+ start) start))))
    (cons begin (if (zerop count) begin (ide-companion--line-position (+ start count))))))

(defun ide-companion--lines-text (buffer start count)
  "The text of COUNT lines of BUFFER from the line START, highlighted."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (pcase-let ((`(,begin . ,end) (ide-companion--lines-region start count)))
        (ide-companion--guarded #'font-lock-ensure begin end)
        (buffer-substring begin end)))))

(defun ide-companion--hunk-position (hunk)
  "Where HUNK begins in the current buffer."
  (car (ide-companion--lines-region (nth 2 hunk) (nth 3 hunk))))

(provide 'ide-companion-hunks)
;;; ide-companion-hunks.el ends here
