;;; written-test.el --- What agents wrote without asking -*- lexical-binding: t; -*-

;;; Commentary:

;; Marks in the buffers of files, and what the user decides about them.

;;; Code:

(require 'fixture)

(defconst ide-companion-test-third '(:id "a" :line 3 :added 1 :removed ["line 3"]))
(defconst ide-companion-test-tenth '(:id "b" :line 10 :added 2 :removed ["line 10"]))
(defconst ide-companion-test-gone '(:id "c" :line 20 :added 0 :removed ["old 1" "old 2"]))

(defun ide-companion-test-lines (&rest changed)
  "40 lines, of which those in CHANGED are others: (NUMBER TEXT ...)."
  (mapconcat (lambda (number) (format "%s\n" (or (plist-get changed number) (format "line %d" number))))
             (number-sequence 1 40) ""))

(defvar ide-companion-test-files nil "Files that agents wrote: (PATH . HUNKS).")
(defvar ide-companion-test-others nil "Where the program leads from a file: (PATH . OTHER).")

(defun ide-companion-test-tell (path &rest hunks)
  "Tell of HUNKS in the file PATH, whose places the program knows at once."
  (setf (alist-get path ide-companion-test-files nil nil #'equal) hunks)
  (cl-letf (((symbol-function 'ide-companion--ask)
             (lambda (method params on-answer) (funcall on-answer (ide-companion-test-answer method params) nil))))
    (ide-companion--written-hunks (list :filePath path :revision "r1" :hunks (vconcat hunks)))))

(defun ide-companion-test-place (params)
  "What the program answers to PARAMS of `companion/placeHunks'.
The user may have typed a line above all, and have the third line as before."
  (let* ((path (plist-get params :filePath)) (text (plist-get params :content))
         (known (cl-remove-if-not (lambda (hunk)
                                    (or (not (equal "a" (plist-get hunk :id))) (string-search "third" text)))
                                  (cdr (assoc path ide-companion-test-files)))))
    (list :filePath path :revision "r1"
          :hunks (vconcat (mapcar (lambda (hunk)
                                    (if (string-prefix-p "mine\n" text)
                                        (plist-put (copy-sequence hunk) :line (1+ (plist-get hunk :line)))
                                      hunk))
                                  known)))))

(defun ide-companion-test-last (hunk)
  "The last line of HUNK."
  (+ (plist-get hunk :line) (max 0 (1- (plist-get hunk :added)))))

(defun ide-companion-test-decide (params)
  "What the program answers to PARAMS of `companion/decideHunks'."
  (let* ((path (plist-get params :filePath)) (lines (plist-get params :lines))
         (hunks (append (plist-get (ide-companion-test-place params) :hunks) nil))
         (chosen (cl-remove-if-not (lambda (hunk)
                                     (and (<= (plist-get hunk :line) (plist-get lines :last))
                                          (>= (ide-companion-test-last hunk) (plist-get lines :first))))
                                   hunks)))
    (cond ((null chosen) (list :line (plist-get lines :last)))
          ((equal "revert" (plist-get params :action))
           (list :content (string-replace "third" "line 3" (plist-get params :content)) :line 0))
          (t (setf (alist-get path ide-companion-test-files nil nil #'equal) (seq-difference hunks chosen))
             (list :line (1- (min (plist-get lines :first) (plist-get (car chosen) :line))))))))

(defun ide-companion-test-next (params)
  "What the program answers to PARAMS of `companion/nextWritten'."
  (let* ((line (plist-get params :line)) (forwards (> (plist-get params :by) 0))
         (file (and (plist-get params :content) (ide-companion-test-place params)))
         (beyond (cl-remove-if-not (lambda (hunk) (funcall (if forwards #'> #'<) (plist-get hunk :line) line))
                                   (append (plist-get file :hunks) nil))))
    (unless beyond
      (let ((path (cdr (assoc (plist-get params :filePath) ide-companion-test-others))))
        (setq beyond (cdr (assoc path ide-companion-test-files))
              file (list :filePath path :revision "r1" :hunks (vconcat beyond)))))
    (let ((hunk (car (if forwards beyond (last beyond)))))
      (if (null hunk) (list :filePath nil :hunks [])
        (append file (list :lines (list :first (plist-get hunk :line) :last (ide-companion-test-last hunk))))))))

(setq ide-companion-test-answers '((:companion/placeHunks . ide-companion-test-place)
                                   (:companion/decideHunks . ide-companion-test-decide)
                                   (:companion/nextWritten . ide-companion-test-next)))

(defun ide-companion-test-marks ()
  "The lines with marks: (LINE TEXT LINES-FROM-BEFORE ...)."
  (let (found)
    (dolist (overlay (overlays-in (point-min) (point-max)))
      (let ((before (overlay-get overlay 'before-string))
            (line (line-number-at-pos (overlay-start overlay))))
        (cond (before (push (list line '- (substring-no-properties before)) found))
              ((overlay-get overlay 'priority))
              ((overlay-get overlay 'face)
               (push (list line '+ (buffer-substring-no-properties (overlay-start overlay) (overlay-end overlay)))
                     found)))))
    (sort found (lambda (one other) (or (< (car one) (car other))
                                        (and (= (car one) (car other)) (eq '- (cadr one))))))))

(defun ide-companion-test-open-written (name &rest hunks)
  "Open the file NAME, in which an agent has written HUNKS, and return its path."
  (let ((path (ide-companion-test-file name (ide-companion-test-lines 3 "third" 10 "10a\n10b"))))
    (find-file path)
    (apply #'ide-companion-test-tell path (or hunks (list ide-companion-test-third ide-companion-test-tenth
                                                          ide-companion-test-gone)))
    path))

(ide-companion-deftest "what an agent wrote is marked, and the lines from before stand above it"
  (ide-companion-test-open-written "poem.txt")
  (should (equal (ide-companion-test-marks)
                 '((3 - "line 3\n") (3 + "third\n") (10 - "line 10\n") (10 + "10a\n10b\n") (20 - "old 1\nold 2\n"))))
  (should-not (buffer-modified-p))
  (ide-companion-test-open-written
   "long.txt" (list :id "a" :line 1 :added 1 :removed (make-vector 20 "x")))
  (should (string-suffix-p "x\nx\n… and 8 more lines\n" (nth 2 (car (ide-companion-test-marks))))))

;; The display puts the string of the highest priority next to the line.
(ide-companion-deftest "what another package puts before a line stands behind the lines from before"
  (ide-companion-test-open-written "poem.txt" ide-companion-test-third)
  (let* ((at (ide-companion--line-position 3))
         (theirs (make-overlay at at))
         (priority (lambda (overlay) (or (overlay-get overlay 'priority) 0))))
    (overlay-put theirs 'before-string "G")
    (should (equal (mapcar (lambda (overlay) (substring-no-properties (overlay-get overlay 'before-string)))
                           (sort (seq-filter (lambda (overlay) (overlay-get overlay 'before-string))
                                             (overlays-in at at))
                                 (lambda (one other) (< (funcall priority one) (funcall priority other)))))
                   '("line 3\n" "G")))))

(ide-companion-deftest "marks are there again after the file was reverted, and follow in another mode"
  (ide-companion-test-open-written "poem.txt" ide-companion-test-third)
  (let ((marks '((3 - "line 3\n") (3 + "third\n"))))
    (insert "mine\n")
    (revert-buffer t t)
    (ide-companion-test-until (lambda () (equal (ide-companion-test-marks) marks)))
    (emacs-lisp-mode)
    (let ((inhibit-modification-hooks nil))
      (insert ";")
      (delete-char -1))
    (set-buffer-modified-p nil)
    (ide-companion--clear (current-buffer))
    (ide-companion-test-until (lambda () (equal (ide-companion-test-marks) marks)))))

(ide-companion-deftest "keeping a change goes on to the next one, and from the last one to the next file"
  (let* ((path (ide-companion-test-open-written "poem.txt"))
         (other (ide-companion-test-file "other.txt" (ide-companion-test-lines)))
         (ide-companion-test-others (list (cons path other) (cons other path))))
    (push (list other (list :id "d" :line 3 :added 1 :removed []) (list :id "e" :line 9 :added 1 :removed []))
          ide-companion-test-files)
    (goto-char (point-min))
    (ide-companion-next-written)
    (should (= 3 (line-number-at-pos)))
    (ide-companion-keep-written (point) (point))
    (should (= 10 (line-number-at-pos)))
    (should (equal (car (ide-companion-test-marks)) '(10 - "line 10\n")))
    (ide-companion-previous-written)
    (should (equal (list buffer-file-name (line-number-at-pos)) (list other 9)))
    (ide-companion-previous-written)
    (ide-companion-previous-written)
    (should (equal (list buffer-file-name (line-number-at-pos)) (list path 20)))
    (ide-companion-keep-written (point-min) (point-max))
    (should (equal (list buffer-file-name (line-number-at-pos)) (list other 3)))
    (ide-companion-keep-written (point-min) (point-max))
    (should (cl-find "Nothing else that an agent wrote" ide-companion-test-said :test #'string-search))
    (should (equal (mapcar (lambda (sent) (list (plist-get sent :action) (plist-get sent :lines)))
                           (ide-companion-test-sent :companion/decideHunks))
                   '(("keep" (:first 3 :last 3)) ("keep" (:first 1 :last 41)) ("keep" (:first 1 :last 40)))))))

(ide-companion-deftest "next-error goes from hunk to hunk of the list across files, and passes by what is kept"
  (let* ((path (ide-companion-test-open-written "poem.txt"))
         (other (ide-companion-test-file "other.txt" (ide-companion-test-lines)))
         (row (list :agent "Gemini CLI" :at 0 :text "modified" :actions []))
         (rows (vector (append (list :id "1" :filePath path :label "poem.txt"
                                     :hunks [(:id "a" :line 3) (:id "b" :line 9) (:id "c" :line 20)])
                               row)
                       (append (list :id "2" :filePath (concat path "2") :label "gone.txt") row)
                       (append (list :id "3" :filePath other :label "other.txt" :hunks [(:id "d" :line 5)]) row)))
         (here (lambda () (list buffer-file-name (line-number-at-pos)))))
    (let ((ide-companion-test-answers (cons (cons :companion/list (lambda (_) (list :rows rows)))
                                            ide-companion-test-answers)))
      (ide-companion-written)
      (ide-companion-test-keys "M-g n")
      (should (equal (list (funcall here) (ide-companion-test-layout))
                     `((,path 3) ("*ide-companion written*" "poem.txt"))))
      (ide-companion-test-keys "M-g n")
      (should (equal (funcall here) (list path 10))) ; as it is marked, not as it is listed
      (ide-companion-test-tell path ide-companion-test-third ide-companion-test-tenth)
      (ide-companion-test-keys "M-g n")
      (should (equal (list (funcall here) (ide-companion-test-layout))
                     `((,other 5) ("*ide-companion written*" "other.txt"))))
      (should-error (next-error) :type 'user-error)
      (ide-companion-test-keys "M-g p")
      (should (equal (funcall here) (list path 10)))
      (with-selected-window (get-buffer-window "*ide-companion written*")
        (goto-char (point-max))
        (forward-line -1))
      (ide-companion-test-keys "M-g n")
      (should (equal (funcall here) (list other 5)))
      (ide-companion-test-keys "M-x first-error RET")
      (should (equal (funcall here) (list path 3))))))

(ide-companion-deftest "a list without hunks leaves next-error to others"
  (cl-letf (((symbol-function 'ide-companion--fetch)
             (lambda (&rest _) '(:rows [(:id "1" :label "a" :at 0 :text "" :agent "" :actions [])]))))
    (ide-companion-history)
    (should-error (next-error) :type 'error)))

(ide-companion-deftest "a change is reverted in a buffer with unsaved edits, and undo brings it back"
  (let ((path (ide-companion-test-open-written "poem.txt" ide-companion-test-third ide-companion-test-tenth)))
    (goto-char (point-min))
    (insert "mine\n")
    (undo-boundary)
    (ide-companion-next-written)
    (should (= 4 (line-number-at-pos)))
    (ide-companion-revert-written (point) (point))
    (should (equal (list (buffer-modified-p) (mapcar #'car (ide-companion-test-marks)) (line-number-at-pos))
                   '(t (11 11) 11)))
    (should (string-prefix-p "mine\nline 1\nline 2\nline 3\n" (buffer-string)))
    (undo-boundary)
    (let (last-command) (undo))
    (goto-char (point-min))
    (ide-companion-next-written)
    (should (equal (seq-take (ide-companion-test-marks) 2) '((4 - "line 3\n") (4 + "third\n"))))
    (should (equal (ide-companion-test-sent :companion/decideHunks)
                   (list (list :filePath path
                               :content (concat "mine\n" (ide-companion-test-lines 3 "third" 10 "10a\n10b"))
                               :revision "r1" :lines '(:first 4 :last 4) :action "revert"))))))

(ide-companion-deftest "unsaved edits stay when their file is written without a question, and saving asks to merge"
  (let* ((path (ide-companion-test-file "poem.txt" "one\n"))
         (news (list :id "" :agent "Gemini CLI" :filePath path :isWritten t :before "one\n")))
    (find-file path)
    (insert "mine\n")
    (ide-companion--file-written news)
    (should-not ide-companion--apart)
    (sleep-for 0.02)
    (write-region "two\n" nil path nil 'silent)
    (set-file-times path (time-add nil 10))
    (ide-companion--file-written news)
    (should (cl-find "Gemini CLI has written poem.txt" ide-companion-test-said :test #'string-search))
    (cl-letf (((symbol-function 'y-or-n-p) #'ignore))
      (should-error (save-buffer) :type 'user-error))
    (should (equal (with-temp-buffer (insert-file-contents path) (buffer-string)) "two\n"))))

;;; written-test.el ends here
